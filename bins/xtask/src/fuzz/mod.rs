//! Fuzzing: made-up input for every parser of what comes from outside, on the compiler that builds everything else.
//!
//! The targets are the package `tests/fuzz`. cargo-fuzz builds them with libFuzzer; no sanitizer is asked for, because the code has no
//! `unsafe`, and so no other compiler is needed. Everything that comes of it lies below `target/fuzz`.

mod lines; // how much of each parser the inputs reach
mod run; // one target, for a while
mod target; // the targets and where their inputs lie

use std::path::PathBuf;

pub(crate) use self::lines::LINES;
use self::{run::Outcome, target::Target};
use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::venv::Venv;
use crate::workshop::Workshop;

/// Seconds in which the planted bug of a target has to be found.
const MOST_SECONDS: u64 = 60;

/// Seconds for which a target runs, unless `TOOLDOCK_FUZZ_SECONDS` says otherwise.
const SECONDS: u64 = 60;

/// Every target finds the bug that is planted in front of its parser.
pub(crate) const PLANTED: Step = Step {
    name: "fuzz-planted",
    shown: true,
    work: |shop| {
        build(shop)?;
        target::each(shop, |target| {
            match run::run_planted(shop, target, MOST_SECONDS)? {
                Outcome::Found { seconds, .. } => Ok(format!("the planted bug was found in {seconds:.1} s")),
                Outcome::Nothing { executions } => Err(format!(
                    "`{}` has not found its planted bug in {MOST_SECONDS} s and {executions} executions",
                    target.name
                )),
            }
        })
    },
};

/// No target finds anything.
pub(crate) const RUN: Step = Step {
    name: "fuzz",
    shown: true,
    work: |shop| {
        build(shop)?;
        let seconds = std::env::var("TOOLDOCK_FUZZ_SECONDS").ok();
        let seconds = seconds.and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
        target::each(shop, |target| match run::run(shop, target, seconds)? {
            Outcome::Nothing { executions } => Ok(format!(
                "{executions} executions in {seconds} s, {} in a second, nothing found",
                executions / seconds.max(1)
            )),
            Outcome::Found { input, told, .. } => Err(format!(
                "{told}\n`{0}` has found something. Look at it again with\n\n    \
                 cargo run --package tooldock-fuzz --bin {0} -- {1}\n\n\
                 and when it is mended, keep the input in `tests/fuzz/seeds/{0}` and name a test of the parser after it",
                target.name,
                input.display()
            )),
        })
    },
};

/// Builds every target with the fuzzer in it.
fn build(shop: &Workshop) -> Result<Verdict, String> {
    let fuzz = Program::new(shop, Venv::tools(shop).program("cargo-fuzz")?)
        .words("fuzz build --sanitizer none --fuzz-dir tests/fuzz --target-dir target/fuzz/build");
    fuzz.run()
        .map(|()| Verdict::Passed)
        .map_err(|failure| format!("{failure}\nlibFuzzer is C++, so a C++ compiler has to be there"))
}

/// The program of a target with the fuzzer in it.
fn program(shop: &Workshop, target: &Target) -> Result<PathBuf, String> {
    let about = Program::new(shop, "rustc").words("-vV").read()?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("`rustc -vV` does not name its host")?;
    let folder = shop.root.join("target/fuzz/build").join(host).join("release");
    Ok(folder.join(&target.name))
}
