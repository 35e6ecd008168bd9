//! The targets: which there are, the files of their parsers, and where their inputs lie.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use crate::step::Verdict;
use crate::workshop::{Workshop, told};

/// The table of targets: a name, then the files of the parser.
const TABLE: &str = "tests/fuzz/targets.txt";

/// One target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The name of its program.
    pub(super) name: String,
    /// The files of the parser, below the root.
    pub(super) parser: Vec<String>,
}

impl Target {
    /// Inputs that somebody wrote.
    pub(super) fn seeds(&self, shop: &Workshop) -> PathBuf {
        shop.root.join("tests/fuzz/seeds").join(&self.name)
    }

    /// A folder below `target/fuzz` for what comes of it, made if need be.
    pub(super) fn folder(&self, shop: &Workshop, what: &str) -> Result<PathBuf, String> {
        let folder = shop.root.join("target/fuzz").join(what).join(&self.name);
        fs::create_dir_all(&folder).map_err(|error| told(&folder, &error))?;
        Ok(folder)
    }
}

/// Does `work` for every target, on all processors, and prints what it says; the failures come together at the end.
pub(super) fn each(
    shop: &Workshop,
    work: impl Fn(&Target) -> Result<String, String> + Sync,
) -> Result<Verdict, String> {
    let targets = read(&shop.read(TABLE)?);
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let worker = || {
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            match work(target) {
                Ok(said) => println!("    {:<12} {said}", target.name),
                Err(failure) => {
                    println!("    {:<12} failed", target.name);
                    failures
                        .lock()
                        .expect("no worker panics while it adds one")
                        .push(failure);
                }
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    let failures = failures.into_inner().expect("no worker has panicked");
    if failures.is_empty() {
        Ok(Verdict::Passed)
    } else {
        Err(failures.join("\n\n"))
    }
}

/// The targets of a table; lines that begin with `#` are for people.
fn read(table: &str) -> Vec<Target> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let targets = lines.filter_map(|line| {
        let mut words = line.split_whitespace().map(str::to_owned);
        Some(Target {
            name: words.next()?,
            parser: words.collect(),
        })
    });
    targets.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_names_and_files() {
        let target = |name: &str, parser: &[&str]| Target {
            name: name.into(),
            parser: parser.iter().map(|file| (*file).to_owned()).collect(),
        };
        assert_eq!(
            read("# what\na x/y.rs  z.rs\n\nb x.rs\n"),
            [target("a", &["x/y.rs", "z.rs"]), target("b", &["x.rs"])]
        );
    }

    #[test]
    fn every_target_is_worked_on_and_every_failure_is_told() {
        let shop = Workshop::open().unwrap();
        let names = Mutex::new(Vec::new());
        let failure = each(&shop, |target| {
            names.lock().unwrap().push(target.name.clone());
            if target.name.starts_with('e') {
                Err(format!("{} is broken", target.name))
            } else {
                Ok("fine".into())
            }
        });
        let failure = failure.unwrap_err();
        assert!(
            failure.contains("era is broken") && failure.contains("envelope is broken"),
            "{failure}"
        );
        let mut names = names.into_inner().unwrap();
        names.sort();
        let mut all: Vec<_> = read(&shop.read(TABLE).unwrap())
            .into_iter()
            .map(|target| target.name)
            .collect();
        all.sort();
        assert_eq!(names, all);
    }
}
