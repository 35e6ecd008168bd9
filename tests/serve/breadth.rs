//! Many tools, and tools that hold their worker up.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tooldock_tests::{Gateway, Tools};

#[test]
fn five_hundred_tools_are_one_page_and_quickly_listed() {
    let tools = Tools::new();
    let mut file = "from tooldock import tool\n".to_owned();
    for n in 0..500 {
        write!(file, "\n@tool\ndef tool_{n}(a: int, b: str = 'x') -> dict:\n    \"\"\"Tool number {n}.\n\n    Args:\n        a: A number.\n        b: A text.\n    \"\"\"\n    return {{}}\n").unwrap();
    }
    tools.write("many", "many.py", &file);
    let gateway = Gateway::start(tools.path());
    let http = gateway.http();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    let list =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}).to_string();
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/list"),
    ];
    let mut times: Vec<Duration> = (0..200)
        .map(|_| {
            let (took, body) = http.time_post("/many/mcp", &list, &headers);
            assert!(
                body.contains("tool_499") && !body.contains("nextCursor"),
                "{body}"
            );
            took
        })
        .collect();
    times.sort_unstable();
    assert!(
        times[100] < Duration::from_millis(3),
        "the median is {:?}",
        times[100]
    );
}

const SLOW: &str = r#"
import time

from tooldock import tool


@tool
def block() -> str:
    """Hold a thread for a second."""
    time.sleep(1)
    return "done"


@tool
async def quick() -> str:
    """Answer at once."""
    return "now"
"#;

#[test]
fn f26_blocking_tools_hold_up_no_async_one() {
    let tools = Tools::new();
    tools.write("slow", "slow.py", SLOW);
    let gateway = Gateway::start(tools.path());
    let http = gateway.http();
    let quick = || {
        let begin = Instant::now();
        let answer = http.post("/slow/tools/quick", &json!({}), &[]);
        assert_eq!(answer.body, json!("now"), "{answer:?}");
        begin.elapsed()
    };
    let best = |count: usize| (0..count).map(|_| quick()).min().unwrap();
    let alone = best(10);
    thread::scope(|scope| {
        let blocked: Vec<_> = (0..64)
            .map(|_| {
                let http = gateway.http();
                scope.spawn(move || http.post("/slow/tools/block", &json!({}), &[]))
            })
            .collect();
        // While they run, the quick one is asked again and again; all of them together take at least four seconds.
        let (begin, mut times) = (Instant::now(), Vec::new());
        while blocked.iter().any(|thread| !thread.is_finished()) {
            times.push(quick());
            assert!(gateway.http().get("/health").status == 200);
        }
        assert!(
            begin.elapsed() > Duration::from_secs(3),
            "sixteen threads for sixty-four seconds of blocking"
        );
        let late = times.iter().max().expect("the loop ran");
        assert!(
            *late < alone + Duration::from_millis(50),
            "{late:?} against {alone:?} alone, the slowest of {}",
            times.len()
        );
        for thread in blocked {
            let answer = thread.join().unwrap();
            assert_eq!(answer.body, json!("done"), "{answer:?}");
        }
    });
}
