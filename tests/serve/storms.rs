//! Many changes in a row: nothing piles up, and the last state is what is served.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use tooldock_tests::{Gateway, Tools, children, eventually};

/// How long something may take on a busy machine.
const SOON: Duration = Duration::from_secs(20);

fn version(number: u32) -> String {
    format!("from tooldock import tool\n\n@tool\ndef version() -> int:\n    return {number}\n")
}

/// F27: after edits, reloads and a deletion there is one process for each namespace, and no descriptor more than before.
#[test]
fn f27_reloads_leave_one_process_for_each_namespace() {
    let tools = Tools::new();
    for name in ["one", "two", "three"] {
        tools.write(name, "tool.py", &version(0));
    }
    let gateway = Gateway::start(tools.path());
    let descriptors = || {
        fs::read_dir(format!("/proc/{}/fd", gateway.pid()))
            .unwrap()
            .count()
    };
    let one_each = |count: usize| {
        let alone = || (children(gateway.pid()).len() == count).then_some(());
        eventually("one process each", SOON, alone);
    };
    one_each(3);
    let before = descriptors();
    for round in 1..=10 {
        tools.write("one", "tool.py", &version(round));
        let report = gateway.reload();
        assert_eq!(report["ok"], true, "{report}");
        let answer = gateway.http().post("/one/tools/version", &json!({}), &[]);
        assert_eq!(answer.body, json!(round), "{answer:?}");
    }
    one_each(3);
    let after = descriptors();
    assert!(after <= before + 4, "{before} descriptors, then {after}");
    fs::remove_dir_all(tools.path().join("two")).unwrap();
    let _ = gateway.reload();
    one_each(2);
}

/// R26, F37: however many events a change makes, and however editors save, the last state is what is served in the end.
#[test]
fn r26_f37_a_storm_of_events_ends_in_the_last_state() {
    let tools = Tools::new();
    tools.write("demo", "tool.py", &version(0));
    let gateway = Gateway::start(tools.path());
    let folder = tools.path().join("demo");
    let begin = Instant::now();
    for number in 1..=2500 {
        // Written in place in two steps, replaced by a rename, and beside the files of an editor: four events and more each.
        fs::write(folder.join(".tool.py.swp"), "x").unwrap();
        fs::write(folder.join("tool.py"), "from tooldock").unwrap();
        fs::write(folder.join("tool.py"), version(number)).unwrap();
        tools.write("demo", "tool.py", &version(number));
    }
    let storm = begin.elapsed();
    let is_last = || {
        let answer = gateway.http().post("/demo/tools/version", &json!({}), &[]);
        (answer.body == 2500).then_some(())
    };
    eventually("the last state", SOON, is_last);
    let starts = gateway.log().matches("namespace is ready").count();
    // One look for each quiet period at the most, and one before and after.
    let most = 2 + usize::try_from(storm.as_millis() / 300).unwrap();
    assert!(starts <= most, "{starts} in {storm:?}");
}
