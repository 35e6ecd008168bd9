//! What a second worker brings to a tool that computes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tooldock_tests::{Gateway, Tools, children, eventually};

use crate::is_long;

const BURN: &str = "import time\nfrom tooldock import tool\n\n@tool\ndef burn() -> int:\n    \"\"\"Use 5 ms of processor time.\"\"\"\n    end = time.thread_time() + 0.005\n    while time.thread_time() < end:\n        pass\n    return 1\n";
const CALLERS: usize = 6;

fn calls(gateway: &Gateway, time: Duration) -> u64 {
    let (done, begin) = (AtomicU64::new(0), Instant::now());
    thread::scope(|scope| {
        for _ in 0..CALLERS {
            let (http, done) = (gateway.http(), &done);
            scope.spawn(move || {
                while begin.elapsed() < time {
                    assert_eq!(http.post("/demo/tools/burn", &json!({}), &[]).body, 1);
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    done.into_inner()
}

/// Two workers give 1.7 times the calls of one, where a call uses 5 ms of processor time and there are two processors.
#[test]
fn two_workers_compute_nearly_twice_as_much() {
    let tools = Tools::new();
    tools.write("demo", "tool.py", BURN);
    let gateway = Gateway::start(tools.path());
    let time = Duration::from_secs(if is_long() { 10 } else { 1 });
    let one = calls(&gateway, time);
    gateway.configure("namespaces: { demo: { workers: 2 } }\n");
    assert_eq!(gateway.reload()["ok"], true);
    let both = || (children(gateway.pid()).len() == 2).then_some(());
    eventually("two workers", Duration::from_secs(30), both);
    let two = calls(&gateway, time);
    println!(
        "one worker {one} calls, two {two}: {:.2} times",
        two as f64 / one as f64
    );
    // The machine of an ordinary run has other things to do; there it is enough that nothing is lost.
    let least = if is_long() { 17 } else { 7 };
    assert!(two * 10 >= one * least, "one worker {one} calls, two {two}");
}
