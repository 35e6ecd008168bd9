//! The rules that an installer runs under.

use std::{fs, path::Path};

use serde_json::json;
use tooldock_engine::secret::Secrets;
use tooldock_worker::{NamespaceOptions, WorkerHost};

use crate::{
    environments::{TOOL, offline},
    shop::{Quiet, Tools, call, text},
};

/// A stand-in for uv that writes down what it is given, and makes environments with the standard library.
const UV: &str = r#"#!/bin/sh
here="$(dirname "$0")"
case "$1" in --version) echo "uv 9.9.9"; exit 0;; esac
echo "$*" >> "$here/calls"
env >> "$here/environment"
case "$*" in
    *" venv "*) for last; do :; done; exec python3 -I -m venv --without-pip "$last";;
    *" compile "*) while [ $# -gt 1 ]; do [ "$1" = --output-file ] && lock="$2"; shift; done
        grep -q broken "$1" && { echo "broken was not found at https://me:pw@index/simple" >&2; exit 1; }
        cp "$1" "$lock";;
esac
"#;

/// Whether an installer is given a variable of this name, or the shell of the stand-in sets it.
fn is_known(name: &str) -> bool {
    let given = ["PATH", "HTTPS_PROXY", "HOME", "TMPDIR"];
    let of_shell = ["PWD", "OLDPWD", "SHLVL", "_"];
    given.contains(&name) || of_shell.contains(&name) || name.starts_with("UV_") || name.starts_with("PIP_")
}

/// S71: the installer runs under fixed rules and sees nothing of the gateway.
#[tokio::test]
async fn s71_f48_the_installer_runs_under_fixed_rules_in_a_clean_environment() {
    use std::os::unix::fs::PermissionsExt as _;
    let data = tempfile::tempdir().unwrap();
    let bin = tempfile::tempdir().unwrap();
    let uv = bin.path().join("uv");
    fs::write(&uv, UV).unwrap();
    fs::set_permissions(&uv, fs::Permissions::from_mode(0o755)).unwrap();
    let mut settings = offline(data.path());
    #[expect(
        clippy::disallowed_methods,
        reason = "the search path of the machine is needed behind the stand-in"
    )]
    let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap());
    let given = [
        ("PATH", path.as_str()),
        ("SECRETS_KEY", "hunter2"),
        ("UV_INDEX", "hunter2"),
        ("HTTPS_PROXY", "http://proxy"),
    ];
    settings.environment = given
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into_iter()
        .collect();
    let index = settings.installer.index_url.clone().unwrap();
    let host = WorkerHost::new(settings);
    let tools = Tools::with(&[("demo/t.py", TOOL), ("demo/requirements.txt", "some_package\n")]);
    let engine = host
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Secrets::new(),
            &Quiet,
        )
        .await
        .unwrap();
    assert_eq!(text(&call(&engine, "hi", json!({})).await.unwrap()), "hi");

    let calls = fs::read_to_string(bin.path().join("calls")).unwrap();
    let calls: Vec<&str> = calls.lines().collect();
    assert_eq!(
        calls.len(),
        3,
        "venv, compile and sync for the namespace, which needs no base: {calls:?}"
    );
    for (call, wanted) in calls.iter().zip(["venv", "pip compile", "pip sync"].iter()) {
        assert!(
            call.starts_with(&format!("--no-config --quiet {wanted} ")),
            "{call}"
        );
        assert!(call.contains("--python /"), "{call}");
        assert!(
            *wanted == "venv" || call.contains("--only-binary :all:"),
            "{call}"
        );
    }
    assert!(calls[1].contains("--generate-hashes"), "{}", calls[1]);
    for rule in ["--require-hashes", "--link-mode copy", "--compile-bytecode"] {
        assert!(calls[2].contains(rule), "{rule}: {}", calls[2]);
    }
    let environment = fs::read_to_string(bin.path().join("environment")).unwrap();
    assert!(!environment.contains("hunter2"), "{environment}");
    let names = environment.lines().filter_map(|line| line.split_once('='));
    let strange: Vec<&str> = names
        .map(|(name, _)| name)
        .filter(|name| !is_known(name))
        .collect();
    assert_eq!(strange, [""; 0], "nothing of the process that started it");
    for line in [
        "HTTPS_PROXY=http://proxy",
        &format!("UV_DEFAULT_INDEX={index}"),
        "UV_PYTHON_DOWNLOADS=never",
    ] {
        assert!(environment.lines().any(|found| found == line), "{line}");
    }
    let homes: Vec<&str> = environment
        .lines()
        .filter_map(|line| line.strip_prefix("HOME="))
        .collect();
    assert!(
        homes
            .iter()
            .all(|home| home.contains("/.build-") && !Path::new(home).exists()),
        "{homes:?}"
    );

    tools.write("demo/requirements.txt", "broken\n");
    let error = host
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Secrets::new(),
            &Quiet,
        )
        .await
        .unwrap_err();
    assert!(
        error
            .message()
            .contains("broken was not found at https://index/simple"),
        "{error}"
    );
}
