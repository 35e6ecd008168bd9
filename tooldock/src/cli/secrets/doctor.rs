//! `secrets doctor`: repairs what a killed command left, and reports what needs a person.

use tooldock_secrets::{Desk, Places, Store};

use super::super::{Failure, say};

/// Fails when something needs a person.
pub(super) fn run(store: &Store) -> Result<(), Failure> {
    match Desk::sweep(&Places::default().or_disk(store.folder())) {
        0 => {}
        count => say(format_args!("Wiped what {count} killed edits left.")),
    }
    let repaired = store.lock()?.repair();
    let mut findings = store.examine().findings;
    match repaired {
        Ok(true) => say(format_args!("Repaired the file of names and states.")),
        Ok(false) => {}
        // What cannot be opened cannot be repaired, and is among the findings.
        Err(error) if findings.contains(&error.to_string()) => {}
        Err(error) => findings.push(error.to_string()),
    }
    if findings.is_empty() {
        say(format_args!("Everything is as it should be."));
        return Ok(());
    }
    let lines: String = findings.iter().map(|finding| format!("\n  {finding}")).collect();
    Err(Failure::Run(format!("this needs you:{lines}")))
}
