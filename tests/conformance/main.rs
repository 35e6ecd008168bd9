//! The official conformance suite, in every pinned version, against a namespace of Python tools made for it.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod connect; // the scenarios for clients, against the bridge
mod suite; // one pinned version of the suite, and what it finds

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tooldock_tests::{Gateway, Tools};

use suite::{SUITES, Suite};

/// The namespace of fixtures, and the list of what has to pass.
const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/conformance/suite");
const PASSING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/passing.txt");

/// A line of the list: which version of the suite, speaking which revision, and the scenario.
type Line = String;

/// The list grows only: a scenario that is in it has to pass, and one that passes has to be in it.
#[test]
fn the_scenarios_that_pass_are_those_of_the_list() {
    let tools = copy_of_the_fixtures();
    let gateway = Gateway::start_anonymous(tools.path());
    let url = format!("{}/suite/mcp", gateway.base_url());
    let listed = read_list();
    let mut found = BTreeSet::new();
    let mut broken = Vec::new();
    for (suite, revision) in SUITES.iter().flat_map(runs) {
        for scenario in suite.judge(&url, revision) {
            let line = format!("{} {revision} {}", suite.version, scenario.name);
            match scenario.failure {
                None => drop(found.insert(line)),
                Some(why) if listed.contains(&line) => broken.push(format!("{line}: {why}")),
                Some(why) => println!("not passed, not listed: {line}: {why}"),
            }
        }
    }
    assert!(broken.is_empty(), "listed, but failed:\n{}", broken.join("\n"));
    let told = |lines: Vec<&Line>| lines.into_iter().cloned().collect::<Vec<_>>().join("\n");
    let vanished: Vec<_> = listed.difference(&found).collect();
    assert!(vanished.is_empty(), "listed, but not run:\n{}", told(vanished));
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(
        new.is_empty(),
        "passed for the first time; add to {PASSING}:\n{}",
        told(new)
    );
}

fn runs(suite: &'static Suite) -> impl Iterator<Item = (&'static Suite, &'static str)> {
    suite.revisions.iter().map(move |revision| (suite, *revision))
}

/// One of the tools writes into its own folder, so the tests serve a copy.
fn copy_of_the_fixtures() -> Tools {
    let tools = Tools::new();
    let files = fs::read_dir(TOOLS).unwrap().map(|entry| entry.unwrap().path());
    for file in files.filter(|file| file.extension().is_some_and(|kind| kind == "py")) {
        let name = file.file_name().unwrap().to_str().unwrap();
        tools.write("suite", name, &fs::read_to_string(&file).unwrap());
    }
    tools
}

/// The lines of the list, without comments.
fn read_list() -> BTreeSet<Line> {
    let text = fs::read_to_string(Path::new(PASSING)).unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}
