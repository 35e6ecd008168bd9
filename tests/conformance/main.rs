//! The official conformance suite, in every pinned version, against its fixtures as a namespace of Python tools and as a Rust engine.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod connect; // the scenarios for clients, against the bridge
mod engine; // the fixtures as an engine of Rust closures
mod schemas; // the schemas by which messages are judged
mod suite; // one pinned version of the suite, and what it finds

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use tokio::net::TcpListener;
use tooldock::{http::Bearer, mcp, run::Limits};
use tooldock_tests::{Gateway, Tools};

use suite::{SUITES, Suite};

/// The fixtures in Python, and the list of what has to pass.
const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/conformance/suite");
const PASSING: &str = include_str!("passing.txt");

/// The setting that lets streams end before `test_reconnection` answers, and its value in seconds.
const POLL: (&str, &str) = ("MCP_POLL_AFTER_SECONDS", "1");

#[test]
fn the_scenarios_that_pass_for_python_are_those_of_the_list() {
    let tools = copy_of_the_fixtures();
    let gateway = Gateway::start_anonymous(tools.path(), &[POLL]);
    compare(&format!("{}/suite/mcp", gateway.base_url()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scenarios_that_pass_for_rust_are_those_of_the_list() {
    let mut settings = mcp::Settings::default();
    settings.poll_after = Some(Duration::from_secs(1));
    let gateway = tooldock::Gateway::builder()
        .registry(engine::Stage::set_up())
        .bearer(Bearer::anonymous())
        .mcp(settings)
        .build()
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/suite/mcp", listener.local_addr().unwrap());
    let judged = tokio::task::spawn_blocking(move || compare(&url));
    let stop = async { judged.await.unwrap() };
    gateway.serve(listener, Limits::default(), stop).await;
}

/// Runs every scenario at `url`. Each has to pass, and those of the list have to be run; it grows only.
fn compare(url: &str) {
    let listed: BTreeSet<String> = PASSING
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    let mut found = BTreeSet::new();
    let mut broken = Vec::new();
    for (suite, revision) in SUITES.iter().flat_map(runs) {
        for scenario in suite.judge(url, revision) {
            let line = format!("{} {revision} {}", suite.version, scenario.name);
            match scenario.failure {
                None => drop(found.insert(line)),
                Some(why) => broken.push(format!("{line}: {why}")),
            }
        }
    }
    assert!(broken.is_empty(), "failed:\n{}", broken.join("\n"));
    let told = |lines: Vec<&String>| lines.into_iter().cloned().collect::<Vec<_>>().join("\n");
    let vanished: Vec<_> = listed.difference(&found).collect();
    assert!(vanished.is_empty(), "listed, but not run:\n{}", told(vanished));
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(
        new.is_empty(),
        "passed for the first time; add to the list:\n{}",
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
