//! The subcommands: which steps each of them runs, in order.

use crate::step::{self, Step};
use crate::workshop::Workshop;
use crate::{bench, fuzz, lint, node, pages, publish, python, rust, soak, supply};

/// Name, purpose and steps of each subcommand.
const TASKS: &[(&str, &str, &[&[Step]])] = &[
    (
        "test",
        "everything that a change must pass; what CI runs",
        &[TEST],
    ),
    (
        "verify",
        "what `test` does, then what takes longer: features, packages, load, crowds, fuzzing",
        &[TEST, LONGER],
    ),
    (
        "lint",
        "formatting, lints and the rules on the text of the repository",
        &[LINT],
    ),
    (
        "generate",
        "pages that are made from the code",
        &[&[pages::GENERATE]],
    ),
];

const TEST: &[Step] = &[
    rust::FORMAT,
    lint::SOURCES,
    python::ENVIRONMENTS,
    python::LINT,
    python::TYPES,
    python::TESTS,
    supply::DEPENDENCIES,
    supply::ADVISORIES,
    rust::CLIPPY,
    rust::DOCS,
    publish::COVERAGE,
    pages::CURRENT,
    rust::BUILD,
    node::PACKAGES,
    rust::TESTS,
    rust::DOCTESTS,
];

/// What `verify` adds.
const LONGER: &[Step] = &[
    publish::FEATURES,
    publish::PACKAGES,
    rust::KILLS,
    rust::IDLE,
    rust::LOAD,
    rust::CROWD,
    fuzz::PLANTED,
    fuzz::RUN,
    fuzz::LINES,
];

const LINT: &[Step] = &[
    rust::FORMAT,
    lint::SOURCES,
    python::ENVIRONMENTS,
    python::LINT,
    python::TYPES,
    rust::CLIPPY,
    rust::DOCS,
    publish::COVERAGE,
];

/// Runs the subcommand that the arguments name.
///
/// # Errors
///
/// The usage where they name none, and the message of a step that failed.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let steps = match words.as_slice() {
        ["bench", options @ ..] => return bench::run(&Workshop::open()?, options),
        ["soak", options @ ..] => return soak::run(&Workshop::open()?, options),
        ["step", names @ ..] if !names.is_empty() => chosen(names)?,
        [name] => named(name)?,
        _ => return Err(usage()),
    };
    step::run(&Workshop::open()?, &steps)
}

/// All steps of a subcommand.
fn named(name: &str) -> Result<Vec<Step>, String> {
    let (.., steps) = TASKS.iter().find(|(task, ..)| *task == name).ok_or_else(usage)?;
    Ok(steps.concat())
}

/// Single steps, by name.
fn chosen(names: &[&str]) -> Result<Vec<Step>, String> {
    let find = |name: &&str| all().find(|step| step.name == *name);
    names
        .iter()
        .map(|name| find(name).ok_or_else(|| format!("no step `{name}`\n{}", usage())))
        .collect()
}

/// Every step there is.
fn all() -> impl Iterator<Item = Step> {
    TEST.iter().chain(LONGER).copied()
}

fn usage() -> String {
    let mut text = String::from("Usage: cargo xtask COMMAND\n\nCommands:\n");
    for (name, purpose, _) in TASKS {
        text += &format!("  {name:<9} {purpose}\n");
    }
    let names: Vec<_> = all().map(|step| step.name).collect();
    text +=
        "  bench     benchmarks: what a call costs, beside ceilings and a peer; `--against FILE` compares\n";
    text += "  soak      an hour of mixed calls, kills and reloads; `--minutes N`, `--hours N`\n";
    text + &format!("  step NAME… single steps: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn unknown_words_get_the_usage() {
        for arguments in [&["tset"][..], &[], &["test", "extra"], &["step"], &["soak", "x"]] {
            assert!(
                run(&words(arguments)).unwrap_err().starts_with("Usage:"),
                "{arguments:?}"
            );
        }
        assert!(
            run(&words(&["step", "nonsense"]))
                .unwrap_err()
                .starts_with("no step `nonsense`")
        );
    }

    #[test]
    fn every_step_has_a_name_of_its_own() {
        let mut names: Vec<_> = all().map(|step| step.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
