//! How many lines of each parser its target reaches, with the seeds and with what fuzzers have learned on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use super::target::{self, Target};
use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::workshop::{Workshop, told};

/// Of a hundred lines of each file of a parser.
const LEAST: u64 = 80;

/// Every target reaches most lines of its parser.
pub(crate) const LINES: Step = Step {
    name: "fuzz-lines",
    shown: true,
    work: |shop| {
        let tools = match tools(shop) {
            Ok(tools) => tools,
            Err(reason) => return Ok(Verdict::NotRun(reason)),
        };
        let built = shop.root.join("target/fuzz/lines");
        Program::cargo(shop)
            .words("build --package tooldock-fuzz --bins --target-dir")
            .word(&built)
            .set("RUSTFLAGS", "-Cinstrument-coverage")
            .set("LLVM_PROFILE_FILE", built.join("build.profraw"))
            .run()?;
        target::each(shop, |target| {
            let reached = measure(shop, target, &tools, &built.join("debug").join(&target.name))?;
            judge(target, &reached)
        })
    },
};

/// Lines of one file: those that there are and those that were reached.
#[derive(Debug, PartialEq, Eq)]
struct Reached {
    file: String,
    lines: u64,
    hit: u64,
}

impl Reached {
    fn percent(&self) -> u64 {
        self.hit * 100 / self.lines.max(1)
    }
}

/// The folder of the tools that read what the compiler's own instrumentation writes, as a component of the same compiler.
fn tools(shop: &Workshop) -> Result<PathBuf, String> {
    let libraries = Program::new(shop, "rustc")
        .words("--print target-libdir")
        .read()?;
    let folder = Path::new(&libraries).with_file_name("bin");
    if !folder.join("llvm-cov").exists() {
        let component = Program::new(shop, "rustup")
            .words("component add llvm-tools")
            .run();
        component.map_err(|_| "the component `llvm-tools` of the compiler cannot be installed".to_owned())?;
    }
    Ok(folder)
}

/// Replays all inputs of a target and counts.
fn measure(shop: &Workshop, target: &Target, tools: &Path, program: &Path) -> Result<Vec<Reached>, String> {
    let folder = target.folder(shop, "profile")?;
    let (raw, merged, report) = (folder.join("raw"), folder.join("merged"), folder.join("lcov"));
    Program::new(shop, program)
        .word(target.seeds(shop))
        .word(target.folder(shop, "corpus")?)
        .set("LLVM_PROFILE_FILE", &raw)
        .read()?;
    Program::new(shop, tools.join("llvm-profdata"))
        .words("merge --sparse --output")
        .word(&merged)
        .word(&raw)
        .read()?;
    let export = Program::new(shop, tools.join("llvm-cov"))
        .words("export --format=lcov --instr-profile")
        .word(&merged)
        .word(program);
    let files = target.parser.iter().map(|file| shop.root.join(file));
    let text = files.fold(export, |export, file| export.word(file)).read()?;
    fs::write(&report, &text).map_err(|error| told(&report, &error))?;
    Ok(read(&text))
}

/// The sums of a report: `SF`, `LF` and `LH` are a file, its lines, and those that were reached.
fn read(report: &str) -> Vec<Reached> {
    let mut files = Vec::new();
    for line in report.lines() {
        match line.split_once(':') {
            Some(("SF", file)) => files.push(Reached {
                file: file.to_owned(),
                lines: 0,
                hit: 0,
            }),
            Some((sum @ ("LF" | "LH"), count)) => {
                if let (Some(file), Ok(count)) = (files.last_mut(), count.parse()) {
                    *(if sum == "LF" {
                        &mut file.lines
                    } else {
                        &mut file.hit
                    }) = count;
                }
            }
            _ => {}
        }
    }
    files
}

/// Says what was reached, or which files too little of.
fn judge(target: &Target, reached: &[Reached]) -> Result<String, String> {
    let of = |file: &String| {
        reached
            .iter()
            .find(|reached| reached.file.ends_with(file.as_str()))
    };
    let mut said = Vec::new();
    let mut short = Vec::new();
    for file in &target.parser {
        let Some(reached) = of(file) else {
            return Err(format!("`{}` reaches nothing of `{file}`", target.name));
        };
        said.push(format!("{} % of {file}", reached.percent()));
        if reached.percent() < LEAST {
            short.push(format!(
                "`{}` reaches {} of {} lines of `{file}`, less than {LEAST} %: give it a seed for the rest",
                target.name, reached.hit, reached.lines
            ));
        }
    }
    if short.is_empty() {
        Ok(said.join(", "))
    } else {
        Err(short.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_reached_too_little_fails_its_target() {
        let report = "SF:/x/a.rs\nFN:1,f\nDA:1,3\nLF:10\nLH:8\nend_of_record\nSF:/x/b.rs\nLF:10\nLH:7\nend_of_record\n";
        let reached = read(report);
        assert_eq!((reached[0].percent(), reached[1].percent()), (80, 70));
        let target = |files: &[&str]| Target {
            name: "t".into(),
            parser: files.iter().map(|file| (*file).to_owned()).collect(),
        };
        assert_eq!(judge(&target(&["a.rs"]), &reached), Ok("80 % of a.rs".into()));
        let failure = judge(&target(&["a.rs", "b.rs"]), &reached).unwrap_err();
        assert!(failure.contains("7 of 10 lines of `b.rs`"), "{failure}");
        assert!(
            judge(&target(&["c.rs"]), &reached)
                .unwrap_err()
                .contains("nothing of `c.rs`")
        );
    }
}
