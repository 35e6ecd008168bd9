//! What is kept of calls: in files, on disks that fail, and how an operator checks it.

use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tooldock_tests::{Answer, Gateway, eventually, fixtures, needed};

/// How long something may take on a busy machine.
const SOON: Duration = Duration::from_secs(20);

fn add(gateway: &Gateway) -> Answer {
    let headers = [("x-request-id", "asked-by-a-test")];
    gateway
        .http()
        .post("/demo/tools/add", &json!({"a": 1, "b": 2}), &headers)
}

/// How the log does, as the manager sees it.
fn status(gateway: &Gateway) -> Value {
    gateway.manage("/internal/state").body["audit"].clone()
}

/// R11: a folder that cannot be written stops no call, is shown, and is written as soon as that can be done.
#[test]
fn r11_a_log_that_cannot_be_written_stops_no_call() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logs");
    fs::write(&folder, "in the way").unwrap();
    let settings = [("AUDIT_DIR", folder.to_str().unwrap()), ("AUDIT_CHAIN", "true")];
    let gateway = Gateway::start_with(fixtures(), &settings);
    assert_eq!(add(&gateway).status, 200);
    let troubled = || status(&gateway)["trouble"].as_str().map(str::to_owned);
    let (trouble, _) = eventually("the trouble is shown", SOON, troubled);
    assert!(gateway.log().contains(&trouble), "{trouble}");
    assert_eq!(add(&gateway).status, 200);
    fs::remove_file(&folder).unwrap();
    let healed = || (status(&gateway)["written"] == 2).then_some(());
    eventually("both calls are written", SOON, healed);
    assert_eq!(status(&gateway)["trouble"], Value::Null);
    assert_eq!(gateway.end().code(), Some(0));

    let file = fs::read_dir(&folder).unwrap().next().unwrap().unwrap();
    let text = fs::read_to_string(file.path()).unwrap();
    let calls = text
        .lines()
        .filter(|line| line.contains("\"request_id\":\"asked-by-a-test\""));
    assert_eq!(calls.count(), 2, "{text}");
    let verify = || {
        Command::new(needed("TOOLDOCK_MANAGER_BIN"))
            .args(["audit", "verify"])
            .env_clear()
            .envs(settings)
            .output()
            .unwrap()
    };
    let whole = verify();
    assert!(whole.status.success(), "{whole:?}");
    assert!(String::from_utf8_lossy(&whole.stdout).starts_with("3 lines in 1 files are whole."));
    fs::write(file.path(), text.replacen("\"ok\"", "\"no\"", 1)).unwrap();
    let broken = verify();
    assert_eq!(broken.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&broken.stderr).contains("line 2: it is not what was written"));
}

/// S105: where the operator wants it so, what cannot be recorded is not done.
#[test]
fn s105_what_cannot_be_recorded_is_refused_if_the_operator_wants_that() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logs");
    fs::write(&folder, "in the way").unwrap();
    let settings = [
        ("AUDIT_DIR", folder.to_str().unwrap()),
        ("AUDIT_FAIL_CLOSED", "true"),
    ];
    let gateway = Gateway::start_with(fixtures(), &settings);
    // The first finds out.
    assert_eq!(add(&gateway).status, 200);
    let refused = || Some(add(&gateway)).filter(|answer| answer.status == 503);
    let (answer, _) = eventually("calls are refused", SOON, refused);
    assert!(answer.error().contains("AUDIT_FAIL_CLOSED"), "{answer:?}");
    fs::remove_file(&folder).unwrap();
    let served = || (add(&gateway).status == 200).then_some(());
    eventually("calls are served again", SOON, served);
}
