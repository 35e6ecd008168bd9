//! One target, for a while: what its fuzzer did, and what it found.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::target::Target;
use crate::workshop::{Workshop, told};

/// Lines of a finding that are shown.
const TAIL_LINES: usize = 40;

/// What came of a run.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Nothing was found.
    Nothing {
        /// How often the target ran.
        executions: u64,
    },
    /// Something was found.
    Found {
        /// After how many seconds.
        seconds: f32,
        /// The file that holds the input.
        input: PathBuf,
        /// What the fuzzer said at the end.
        told: String,
    },
}

/// Runs a target; what it learns stays in its corpus for the next time.
pub(super) fn run(shop: &Workshop, target: &Target, seconds: u64) -> Result<Outcome, String> {
    let mut command = fuzzer(shop, target, seconds)?;
    command.arg(target.folder(shop, "corpus")?);
    finish(shop, target, command, "findings")
}

/// Runs a target with its planted bug, from the seeds alone and with the same dice each time.
pub(super) fn run_planted(shop: &Workshop, target: &Target, seconds: u64) -> Result<Outcome, String> {
    let corpus = target.folder(shop, "planted-corpus")?;
    fs::remove_dir_all(&corpus).map_err(|error| told(&corpus, &error))?;
    fs::create_dir_all(&corpus).map_err(|error| told(&corpus, &error))?;
    let mut command = fuzzer(shop, target, seconds)?;
    command
        .env("TOOLDOCK_FUZZ_PLANTED", "1")
        .arg("-seed=1")
        .arg(corpus);
    finish(shop, target, command, "planted")
}

/// The fuzzer of a target. The folders of inputs are named last: the first, where it keeps what it learns, is still to come.
fn fuzzer(shop: &Workshop, target: &Target, seconds: u64) -> Result<Command, String> {
    let mut command = Command::new(super::program(shop, target)?);
    command
        .arg(format!("-max_total_time={seconds}"))
        .args([
            "-print_final_stats=1",
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-max_len=4096",
        ])
        .env("RUST_BACKTRACE", "0")
        .current_dir(&shop.root)
        .stdin(Stdio::null());
    Ok(command)
}

/// Runs a fuzzer to its end; what it finds is kept in the folder `findings` of the target.
fn finish(shop: &Workshop, target: &Target, mut command: Command, findings: &str) -> Result<Outcome, String> {
    let input = target.folder(shop, findings)?.join("input");
    command
        .arg(target.seeds(shop))
        .arg(format!("-exact_artifact_path={}", input.display()));
    let began = Instant::now();
    let output = command.output();
    let output = output.map_err(|error| told(command.get_program().as_ref(), &error))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        let executions = stat(&text, "number_of_executed_units").unwrap_or_default();
        return Ok(Outcome::Nothing { executions });
    }
    let lines: Vec<&str> = text.lines().collect();
    Ok(Outcome::Found {
        seconds: began.elapsed().as_secs_f32(),
        input,
        told: lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n"),
    })
}

/// A number of the table that libFuzzer prints at its end.
fn stat(text: &str, name: &str) -> Option<u64> {
    let row = text
        .lines()
        .find_map(|line| line.strip_prefix("stat::")?.strip_prefix(name));
    row?.strip_prefix(':')?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_table_of_the_fuzzer() {
        let text = "Done 12\nstat::number_of_executed_units: 1234\nstat::average_exec_per_sec:     61\n";
        assert_eq!(stat(text, "number_of_executed_units"), Some(1234));
        assert_eq!(stat(text, "peak_rss_mb"), None);
    }
}
