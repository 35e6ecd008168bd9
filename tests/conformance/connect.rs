//! The scenarios for clients, against `tooldock-core connect` that a small client of lines drives.

use std::fs;
use std::process::Command;

use tempfile::TempDir;
use tooldock_tests::{Evidence, needed, node, token_file};

use crate::suite::{SUITES, find_failure_in};

/// The scenarios that pass, and the client.
const LIST: &str = include_str!("connect.txt");
const CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/client.py");

/// Every scenario of the list passes; the list grows only.
#[test]
fn the_bridge_passes_the_scenarios_for_clients() {
    let lines: Vec<&str> = LIST.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() >= 15, "lines are added, never taken away");
    let failures: Vec<String> = lines
        .iter()
        .filter_map(|line| Some(format!("{line}: {}", judge(line)?)))
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Runs one scenario and tells why it has not passed. The bridge sends a token, which nothing that it says may show; the suite, which is the
/// server and is meant to have it, notes it in its results.
fn judge(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let [version, revision, scenario] = words.as_slice() else {
        return Some("a line is a version of the suite, a revision and a scenario".to_owned());
    };
    let suite = SUITES.iter().find(|suite| suite.version == *version);
    let results = TempDir::new().unwrap();
    let evidence = Evidence::of_a_gateway();
    let (python, core) = (needed("TOOLDOCK_PYTHON_MCP"), needed("TOOLDOCK_CORE_BIN"));
    let command = format!("{} {CLIENT} {}", python.display(), core.display());
    let output = Command::new(node())
        .arg(suite.expect("a pinned version").program())
        .args(["client", "--command", &command, "--scenario", scenario])
        .args(["--spec-version", revision, "-o"])
        .arg(results.path())
        .env("TOOLDOCK_TOKEN_FILE", token_file())
        .output()
        .unwrap();
    evidence.hear([output.stdout.as_slice(), &output.stderr].concat());
    evidence.settle();
    let told = || {
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        format!("it wrote no result: {out}{err}")
    };
    let folder = fs::read_dir(results.path()).unwrap().next();
    folder.map_or_else(|| Some(told()), |folder| find_failure_in(&folder.unwrap().path()))
}
