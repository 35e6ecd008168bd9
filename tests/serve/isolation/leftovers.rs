//! What a worker holds and may use.

use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;
use tooldock_tests::{Unprivileged, eventually};

use super::{ask, start};

const REST: &str = "import asyncio\nfrom tooldock import tool\n\n@tool\nasync def rest() -> str:\n    await asyncio.sleep(2)\n    return 'rested'\n";

/// S82: no rights, no terminal, no core files, only its own descriptors, and the limits of the operator.
#[test]
fn s82_a_worker_holds_nothing_it_does_not_need() {
    let gateway = start(&[
        ("WORKER_MEMORY_MB", "512"),
        ("WORKER_FILE_MB", "1"),
        ("WORKER_OPEN_FILES", "100"),
    ]);
    let told = ask(&gateway, "spy", "status", &json!({}));
    let none = "0000000000000000";
    assert_eq!(
        told["status"],
        json!({"NoNewPrivs": "1", "CapEff": none, "CapPrm": none, "CapInh": none})
    );
    assert_eq!(
        told["limits"],
        json!({"core": 0, "data": 512 << 20, "fsize": 1 << 20, "nofile": 100})
    );
    assert_eq!((&told["mask"], &told["session"]), (&json!(0o077), &json!(true)));
    assert_ne!(told["terminal"], "done");
    let descriptors = told["descriptors"].as_array().expect("a list");
    let expected = ["/dev/null", "anon_inode", "pipe", "socket"];
    let strange: Vec<_> = descriptors
        .iter()
        .filter(|one| !expected.contains(&one.as_str().unwrap_or_default()))
        .collect();
    assert!(strange.is_empty(), "{descriptors:?}");
    assert_eq!(
        ask(&gateway, "spy", "write_much", &json!({"megabytes": 2})),
        "EFBIG"
    );
}

/// S82: worker and warden are in no group of the gateway. What is sent to its whole group, as by a terminal or `timeout`, reaches the gateway
/// alone, and that lets a call end before it ends its worker.
#[test]
fn s82_a_signal_to_the_group_of_the_gateway_reaches_no_worker() {
    let gateway = Unprivileged::start(&[("slow/tools.py", REST)], &[], &["setsid"]);
    let http = gateway.http().clone();
    let call = thread::spawn(move || http.post("/slow/tools/rest", &json!({}), &[]));
    eventually("the call runs", Duration::from_secs(20), || {
        (gateway.state("slow")["processes"][0]["open"] == 1).then_some(())
    });
    let group = i32::try_from(gateway.pid()).ok().and_then(Pid::from_raw);
    kill_process_group(group.expect("a number"), Signal::TERM).expect("it leads its group");
    let answer = call.join().expect("the thread ends");
    assert_eq!(
        (answer.status, &answer.body),
        (200, &json!("rested")),
        "{answer:?}"
    );
}

/// S82: temporary files go with the process that made them.
#[test]
fn s82_temporary_files_go_with_their_process() {
    let gateway = start(&[]);
    let temp = ask(&gateway, "spy", "places", &json!({}))["temp"].clone();
    let temp = std::path::PathBuf::from(temp.as_str().expect("a path"));
    ask(&gateway, "spy", "write", &json!({"place": temp.join("passing")}));
    assert!(temp.is_dir());
    drop(gateway);
    assert!(!temp.exists(), "{temp:?}");
}
