//! How the program ends.

use std::time::{Duration, Instant};

use serde_json::json;
use tooldock_tests::{Gateway, fixtures};

#[test]
fn f28_an_open_stream_does_not_hold_up_the_end() {
    let gateway = Gateway::start(fixtures());
    let http = gateway.http();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let session = http
        .post_for_header("/demo/mcp", &hello, "mcp-session-id")
        .expect("a session");
    let stream = http
        .stream("/demo/mcp", &[("mcp-session-id", &session)])
        .expect("a stream");
    let begin = Instant::now();
    let status = gateway.end();
    assert_eq!(status.code(), Some(0), "{status}");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    let said: Vec<String> = stream.filter(|data| !data.is_empty()).collect();
    assert_eq!(said, [""; 0], "it ends, and nothing is said");
}

#[test]
fn r8_a_call_that_runs_is_answered_before_the_end() {
    let gateway = Gateway::start(fixtures());
    let http = gateway.http();
    let call = std::thread::spawn(move || http.post("/demo/tools/rest", &json!({"seconds": 1.5}), &[]));
    // Two calls to the same worker are taken in turn, so the first runs when the second is answered.
    let probe = gateway
        .http()
        .post("/demo/tools/rest", &json!({"seconds": 0.2}), &[]);
    assert_eq!(probe.status, 200);
    let status = gateway.end();
    assert_eq!(status.code(), Some(0), "{status}");
    let answer = call.join().unwrap();
    assert_eq!(answer.status, 200, "{answer:?}");
}
