//! One pinned version of the suite: run for one revision, and read by what it wrote down.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use tooldock_tests::{needed, node};

/// The pinned versions, each with the revisions that it knows and the gateway serves.
pub(crate) const SUITES: &[Suite] = &[
    Suite {
        version: "0.1.16",
        revisions: &["2025-06-18", "2025-11-25"],
    },
    Suite {
        version: "0.2.0-alpha.12",
        revisions: &["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"],
    },
];

/// A check that every answer passes which has the form of one; it alone says nothing about a scenario.
const FORM: &str = "wire-schema-valid";

/// How the folder of a scenario's result is called: this, the scenario, and the time.
const PREFIX: &str = "server-";
const TIME: usize = "-2026-01-01T00-00-00-000Z".len();

/// A version of the suite.
#[derive(Debug)]
pub(crate) struct Suite {
    /// As npm knows it.
    pub(crate) version: &'static str,
    /// What it is run for.
    pub(crate) revisions: &'static [&'static str],
}

/// What became of a scenario.
#[derive(Debug)]
pub(crate) struct Scenario {
    /// As the suite calls it.
    pub(crate) name: String,
    /// Why it does not count as passed.
    pub(crate) failure: Option<String>,
}

impl Suite {
    /// The program of this version.
    pub(crate) fn program(&self) -> PathBuf {
        let packages = needed("TOOLDOCK_CONFORMANCE").join("node_modules");
        packages.join(format!("conformance-{}/dist/index.js", self.version))
    }

    /// Runs every scenario for `revision`.
    pub(crate) fn judge(&self, url: &str, revision: &str) -> Vec<Scenario> {
        let results = TempDir::new().unwrap();
        let mut command = Command::new(node());
        command
            .arg(self.program())
            .args([
                "server",
                "--url",
                url,
                "--suite",
                "all",
                "--spec-version",
                revision,
                "-o",
            ])
            .arg(results.path());
        let output = tooldock_tests::judge(&mut command).unwrap();
        let folders = fs::read_dir(results.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut scenarios: Vec<_> = folders.map(|folder| read(&folder)).collect();
        assert!(
            !scenarios.is_empty(),
            "{} ran nothing for {revision}: {}",
            self.version,
            String::from_utf8_lossy(&output.stderr)
        );
        scenarios.sort_by(|one, other| one.name.cmp(&other.name));
        scenarios
    }
}

/// Why the scenario whose result lies in `folder` does not count as passed.
pub(crate) fn find_failure_in(folder: &Path) -> Option<String> {
    let checks: Vec<Value> = serde_json::from_str(&checks_in(folder)).unwrap();
    find_failure(&checks)
}

fn checks_in(folder: &Path) -> String {
    fs::read_to_string(folder.join("checks.json")).unwrap()
}

/// Reads the checks of one scenario for servers, whose answers hold no mark.
fn read(folder: &Path) -> Scenario {
    let checks = checks_in(folder);
    assert_eq!(tooldock_tests::mark_in(checks.as_bytes()), None, "{checks}");
    let name = folder.file_name().unwrap().to_str().unwrap();
    let name = &name[PREFIX.len()..name.len() - TIME];
    Scenario {
        name: name.to_owned(),
        failure: find_failure_in(folder),
    }
}

/// The first check that failed, or that none succeeded which says something.
fn find_failure(checks: &[Value]) -> Option<String> {
    if let Some(failed) = checks.iter().find(|check| check["status"] == "FAILURE") {
        return Some(format!("{}: {}", failed["id"], failed["errorMessage"]));
    }
    let succeeded = |check: &Value| check["status"] == "SUCCESS" && check["id"] != FORM;
    (!checks.iter().any(succeeded)).then(|| "no check succeeded".to_owned())
}

#[test]
fn a_scenario_without_a_check_that_says_something_has_not_passed() {
    let check =
        |id: &str, status: &str| serde_json::json!({"id": id, "status": status, "errorMessage": "why"});
    assert_eq!(
        find_failure(&[check("a", "SUCCESS"), check("b", "WARNING")]),
        None
    );
    for checks in [
        vec![],
        vec![check(FORM, "SUCCESS"), check("a", "WARNING")],
        vec![check("a", "SUCCESS"), check("b", "FAILURE")],
    ] {
        assert!(find_failure(&checks).is_some(), "{checks:?}");
    }
}
