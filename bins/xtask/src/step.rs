//! One named, timed step. The first that fails ends the run.

use std::io::{IsTerminal, stdout};
use std::time::Instant;

use crate::ticker::Ticker;
use crate::workshop::Workshop;

/// What a step that did not fail has to say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It ran, and all was well.
    Passed,
    /// It could not run here, for this reason. Never counted as passed.
    NotRun(String),
}

/// A piece of work with a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// One word, by which the command line can choose it.
    pub(crate) name: &'static str,
    /// Whether its programs write to the terminal as they run.
    pub(crate) shown: bool,
    /// Does the work.
    pub(crate) work: fn(&Workshop) -> Result<Verdict, String>,
}

/// Runs the steps in order, reports on each, and stops at the first failure.
pub(crate) fn run(workshop: &Workshop, steps: &[Step]) -> Result<(), String> {
    let began = Instant::now();
    let mut left_out = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let label = format!("[{:>2}/{}] {}", index + 1, steps.len(), step.name);
        let started = Instant::now();
        if step.shown {
            println!("{label}");
        }
        let ticker = Ticker::start(label.clone(), step.shown);
        let verdict = (step.work)(workshop);
        ticker.stop();
        let seconds = started.elapsed().as_secs_f32();
        match verdict {
            Ok(Verdict::Passed) => println!("{label}: {} in {seconds:.1} s", paint(GREEN, "passed")),
            Ok(Verdict::NotRun(reason)) => {
                println!("{label}: {}: {reason}", paint(YELLOW, "NOT RUN"));
                left_out.push(format!("{}: {reason}", step.name));
            }
            Err(message) => {
                println!("{message}");
                println!("{label}: {} after {seconds:.1} s", paint(RED, "FAILED"));
                return Err(format!(
                    "step `{0}` failed; run it alone with `cargo xtask step {0}`",
                    step.name
                ));
            }
        }
    }
    let passed = steps.len() - left_out.len();
    println!(
        "steps passed: {passed} of {}, in {:.1} s",
        steps.len(),
        began.elapsed().as_secs_f32()
    );
    for reason in left_out {
        println!("{}: {reason}", paint(YELLOW, "NOT RUN, and so not checked"));
    }
    Ok(())
}

const GREEN: u8 = 32;
const RED: u8 = 31;
const YELLOW: u8 = 33;

/// The text in a colour, where somebody looks at it.
fn paint(colour: u8, text: &str) -> String {
    if stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        format!("\x1b[{colour}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &'static str, work: fn(&Workshop) -> Result<Verdict, String>) -> Step {
        Step {
            name,
            shown: false,
            work,
        }
    }

    #[test]
    fn the_first_failure_ends_the_run_and_is_named() {
        let steps = [
            step("fine", |_| Ok(Verdict::Passed)),
            step("broken", |_| Err("why".into())),
            step("never", |_| unreachable!("a step before it failed")),
        ];
        let failure = run(&Workshop::open().unwrap(), &steps).unwrap_err();
        assert!(failure.contains("step `broken` failed"), "{failure}");
    }

    #[test]
    fn a_step_that_cannot_run_does_not_fail_the_others() {
        let steps = [step("absent", |_| Ok(Verdict::NotRun("no such tool".into())))];
        assert_eq!(run(&Workshop::open().unwrap(), &steps), Ok(()));
    }
}
