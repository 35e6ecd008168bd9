//! `secrets doctor`: repairs what a killed command left, and reports what needs a person.

use tooldock_secrets::{Desk, Places, Store};

use super::super::{Failure, say};

/// Fails when something needs a person.
pub(super) fn run(store: &Store) -> Result<(), Failure> {
    match Desk::sweep(&Places::default().or_disk(store.folder())) {
        0 => {}
        count => say(format_args!("Wiped what {count} killed edits left.")),
    }
    // What cannot be opened cannot be repaired; the look below says why.
    if let Ok(true) = store.lock()?.repair() {
        say(format_args!("Repaired the file of names and states."));
    }
    let findings = store.examine().findings;
    if findings.is_empty() {
        say(format_args!("Everything is as it should be."));
        return Ok(());
    }
    let lines: String = findings.iter().map(|finding| format!("\n  {finding}")).collect();
    Err(Failure::Run(format!("this needs you:{lines}")))
}
