//! Our own checks on the text of the repository: file lengths, machine paths, unfinished marks, tests left out, proofs that are none.

mod length; // no file over 200 code lines without a reason
mod proofs; // the tests and scenarios that a page names are there
mod source; // the files that are checked
mod words; // what no file may contain

use crate::step::{Step, Verdict};

/// All checks, with every finding in one report.
pub(crate) const SOURCES: Step = Step {
    name: "sources",
    shown: false,
    work: |shop| {
        let files = source::files(shop)?;
        let excused = length::excused(&shop.read("docs/DESIGN.md").unwrap_or_default());
        let findings: Vec<String> = files
            .iter()
            .flat_map(|file| {
                words::check(file)
                    .into_iter()
                    .chain(length::check(file, &excused))
            })
            .chain(proofs::check(&files))
            .collect();
        if findings.is_empty() {
            Ok(Verdict::Passed)
        } else {
            Err(findings.join("\n"))
        }
    },
};
