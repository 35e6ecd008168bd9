//! Where things are: the repository, and the folder below `target` that holds what the steps install.

use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The folders that every step works with.
#[derive(Debug)]
pub(crate) struct Workshop {
    /// The root of the repository.
    pub(crate) root: PathBuf,
    /// What the steps install and write down: `target/xtask`.
    pub(crate) folder: PathBuf,
}

impl Workshop {
    /// Finds the repository from the place this program was built in.
    pub(crate) fn open() -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .expect("the manifest lies two folders below the root")
            .to_path_buf();
        let folder = root.join("target/xtask");
        fs::create_dir_all(folder.join("logs")).map_err(|error| told(&folder, &error))?;
        Ok(Self { root, folder })
    }

    /// The cargo that runs this program.
    pub(crate) fn cargo(&self) -> OsString {
        std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
    }

    /// Where cargo puts what it builds.
    pub(crate) fn built(&self) -> PathBuf {
        self.root
            .join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
    }

    /// Text of a file, by its path below the root.
    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        let path = self.root.join(path);
        fs::read_to_string(&path).map_err(|error| told(&path, &error))
    }
}

/// Does `make` in an empty `folder`, unless it was done there before with the same `inputs`.
///
/// The mark of success is written last, so that work which was cut short starts anew.
pub(crate) fn make_once(
    folder: &Path,
    inputs: &[&str],
    make: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    let mark = folder.join(".inputs");
    let digest = digest(inputs);
    if fs::read_to_string(&mark).is_ok_and(|found| found == digest) {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| told(folder, &error))?;
    }
    fs::create_dir_all(folder).map_err(|error| told(folder, &error))?;
    make()?;
    fs::write(&mark, digest).map_err(|error| told(&mark, &error))
}

/// A short name for some content; another compiler may choose another one, which only costs a rebuild.
fn digest(inputs: &[&str]) -> String {
    let mut hasher = DefaultHasher::new();
    inputs.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// An I/O error together with the path it is about.
pub(crate) fn told(path: &Path, error: &std::io::Error) -> String {
    format!("`{}`: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_again_only_for_other_inputs_or_after_a_failure() {
        let folder = std::env::temp_dir().join(format!("xtask-make-once-{}", std::process::id()));
        let mut runs = 0;
        let mut attempt = |inputs: &[&str], answer: Result<(), String>| {
            let mut ran = false;
            let result = make_once(&folder, inputs, || {
                ran = true;
                answer
            });
            runs += usize::from(ran);
            (result.is_ok(), runs)
        };
        assert_eq!(attempt(&["a"], Err("cut short".into())), (false, 1));
        assert_eq!(attempt(&["a"], Ok(())), (true, 2));
        assert_eq!(attempt(&["a"], Ok(())), (true, 2));
        assert_eq!(attempt(&["b"], Ok(())), (true, 3));
        fs::remove_dir_all(&folder).unwrap();
    }
}
