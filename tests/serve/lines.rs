//! `tooldock-core stdio`: how it ends, and what its output carries.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tooldock_judge::Judge;
use tooldock_tests::{Gateway, children, core, eventually, fixtures};

/// How long an end may take.
const END: Duration = Duration::from_secs(10);

/// It ends with its input, and at a signal; its workers go with it.
#[test]
fn s89_a_process_for_one_client_leaves_no_worker_behind() {
    let gateway = Gateway::start(fixtures());
    for by_signal in [false, true] {
        let mut process = start(&gateway);
        let mut input = process.stdin.take().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let list = request("tools/list", &json!({}));
        writeln!(input, "{list}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let listed: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(listed["result"]["tools"][0]["name"], "add", "{listed}");
        Judge::conversation([list], vec![listed]);
        gateway.look_at(process.id());
        let workers = children(process.id());
        assert!(!workers.is_empty(), "the namespace has a process of its own");
        if by_signal {
            let pid = Pid::from_raw(i32::try_from(process.id()).unwrap()).unwrap();
            kill_process(pid, Signal::TERM).unwrap();
        } else {
            drop(input);
        }
        let (status, _) = eventually("the end", END, || process.try_wait().unwrap());
        assert!(status.success(), "by signal: {by_signal}: {status}");
        let gone = || {
            workers
                .iter()
                .all(|pid| !Path::new(&format!("/proc/{pid}")).exists())
        };
        eventually("the end of the workers", END, || gone().then_some(()));
        assert_eq!(output.lines().count(), 0, "nothing but answers is written");
        gateway.hear(line.into_bytes());
    }
}

/// A call that was sent before the input ended is still answered, and the line of a tool's own output is not.
#[test]
fn s86_only_messages_are_written_and_calls_are_answered_to_the_end() {
    let gateway = Gateway::start(fixtures());
    let mut process = start(&gateway);
    let call = request(
        "tools/call",
        &json!({"name": "say_hello", "arguments": {"name": "Ada"}}),
    );
    writeln!(process.stdin.take().unwrap(), "{call}").unwrap();
    let output = process.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    gateway.hear(output.stderr);
    gateway.hear(text.clone().into_bytes());
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert_eq!(lines[0]["result"]["content"][0]["text"], "Hello, Ada!");
    Judge::conversation([call], lines);
}

/// `tooldock-core stdio` for `demo`. It shares the environments of `gateway`.
fn start(gateway: &Gateway) -> Child {
    core()
        .arg("stdio")
        .arg(fixtures())
        .args(["--namespace", "demo", "--data-dir"])
        .arg(gateway.data_folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn request(method: &str, params: &Value) -> Value {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}
