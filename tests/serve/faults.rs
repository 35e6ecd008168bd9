//! Faults that an operator meets: what breaks says so, and everything else goes on.

use std::fs;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tooldock_tests::{Gateway, Tools, children, eventually};

/// How long something may take on a busy machine.
const SOON: Duration = Duration::from_secs(20);

const GOOD: &str = r#"
import asyncio
from tooldock import tool

@tool
async def rest(seconds: float = 0) -> str:
    """Rest for a while."""
    await asyncio.sleep(seconds)
    return "rested"
"#;

fn namespace(gateway: &Gateway, name: &str) -> Value {
    let list = gateway.http().get("/namespaces").body;
    let lines = list["namespaces"].as_array().cloned().unwrap_or_default();
    lines
        .into_iter()
        .find(|line| line["name"] == name)
        .unwrap_or_default()
}

fn rests(gateway: &Gateway, name: &str) -> bool {
    let answer = gateway
        .http()
        .post(&format!("/{name}/tools/rest"), &json!({}), &[]);
    answer.status == 200 && answer.body == "rested"
}

/// R20: a namespace that is deleted while it is used answers what runs, then it is unknown; its process is gone.
#[test]
fn r20_a_namespace_that_is_deleted_in_use_ends_its_calls_first() {
    let tools = Tools::new();
    tools.write("kept", "tool.py", GOOD);
    tools.write("gone", "tool.py", GOOD);
    let gateway = Gateway::start(tools.path());
    assert_eq!(children(gateway.pid()).len(), 2);
    let http = gateway.http();
    let call = thread::spawn(move || http.post("/gone/tools/rest", &json!({"seconds": 3}), &[]));
    let running = || (namespace(&gateway, "gone")["processes"][0]["open"] == 1).then_some(());
    eventually("the call runs", SOON, running);
    fs::remove_dir_all(tools.path().join("gone")).unwrap();
    let _ = gateway.reload();
    let answer = gateway.http().post("/gone/tools/rest", &json!({}), &[]);
    assert_eq!(answer.status, 404, "{answer:?}");
    let answer = call.join().unwrap();
    assert_eq!((answer.status, answer.body), (200, json!("rested")));
    assert!(rests(&gateway, "kept"));
    let left = || (children(gateway.pid()).len() == 1).then_some(());
    eventually("its process ends", SOON, left);
}

/// R23, F31: what is damaged is reported, each with its reason; everything else serves, and the start is no failure.
#[test]
fn r23_f31_what_is_damaged_is_reported_and_the_rest_serves() {
    let noise: Vec<u8> = (0..2048_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let tools = Tools::new();
    for name in ["good", "noise", "manifest", "toolless"] {
        tools.write(name, "tool.py", GOOD);
    }
    fs::write(tools.path().join("noise/tool.py"), &noise).unwrap();
    fs::write(tools.path().join("manifest/tooldock.yaml"), &noise).unwrap();
    fs::write(tools.path().join("toolless/tool.py"), "").unwrap();
    let gateway = Gateway::start(tools.path());
    assert!(rests(&gateway, "good"));
    assert_eq!(
        gateway.http().get("/toolless/tools").status,
        200,
        "no tools is no failure"
    );
    let problem = namespace(&gateway, "noise")["errors"][0]["file"].clone();
    assert_eq!(problem, "tool.py");
    let report = gateway.reload().to_string();
    assert!(
        report.contains("manifest") && report.contains("tooldock.yaml"),
        "{report}"
    );
    // The operator's file: noise, and empty.
    for content in [&noise[..], b""] {
        fs::write(gateway.data_folder().join("config.yaml"), content).unwrap();
        let told = gateway.reload().to_string();
        assert_eq!(told.contains("config.yaml"), !content.is_empty(), "{told}");
        assert!(rests(&gateway, "good"));
    }
    assert_eq!(gateway.http().get("/health").status, 200);
}

/// R32: a folder that is removed under a running gateway is told at the next reload, and all is well when it is back.
#[test]
fn r32_a_folder_that_goes_and_comes_back_serves_again() {
    let tools = Tools::new();
    tools.write("demo", "tool.py", GOOD);
    let gateway = Gateway::start(tools.path());
    let aside = tools.path().with_extension("aside");
    fs::rename(tools.path(), &aside).unwrap();
    let report = gateway.reload();
    assert_eq!(report["ok"], false, "{report}");
    assert!(report.to_string().contains("cannot be read"), "{report}");
    assert_eq!(gateway.http().get("/health").status, 200);
    fs::rename(&aside, tools.path()).unwrap();
    let report = gateway.reload();
    assert_eq!(report["ok"], true, "{report}");
    assert!(rests(&gateway, "demo"));
}

/// F29: health tells that the gateway is up, and of each namespace what state it is in and why; a dead worker is never shown as
/// serving.
#[test]
fn f29_a_dead_worker_is_shown_as_such_with_its_reason() {
    let tools = Tools::new();
    tools.write("demo", "tool.py", GOOD);
    let start = "import os\nif os.path.exists('away'):\n    os._exit(3)\n";
    tools.write("demo", "tool.py", &format!("{start}{GOOD}"));
    let gateway = Gateway::start(tools.path());
    let line = namespace(&gateway, "demo");
    assert_eq!(
        (&line["state"], &line["reason"]),
        (&json!("serving"), &Value::Null)
    );
    let process = &line["processes"][0];
    assert!(
        process["resident_bytes"]
            .as_u64()
            .is_some_and(|bytes| bytes > 5 << 20),
        "{line}"
    );
    assert!(
        process["processor_seconds"].is_f64() && process["pid"] == line["pid"],
        "{line}"
    );
    // A file that is not content of the namespace, so that no reload comes between.
    fs::write(tools.path().join("demo/away"), "").unwrap();
    let pid = i32::try_from(gateway.worker("demo").unwrap()).unwrap();
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    let down = || {
        let line = namespace(&gateway, "demo");
        let told = line["reason"]
            .as_str()
            .unwrap_or_default()
            .contains("exit code 3");
        told.then_some(line)
    };
    let (line, _) = eventually("the reason is told", SOON, down);
    assert!(
        matches!(line["state"].as_str(), Some("restarting" | "failed")),
        "{line}"
    );
    assert_eq!(line["pid"], Value::Null, "{line}");
    let answer = gateway.http().post("/demo/tools/rest", &json!({}), &[]);
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(answer.error().contains("exit code 3"), "{answer:?}");
    assert_eq!(gateway.http().get("/health").status, 200);
    fs::remove_file(tools.path().join("demo/away")).unwrap();
    let _ = gateway.reload();
    eventually("serving again", SOON, || rests(&gateway, "demo").then_some(()));
}
