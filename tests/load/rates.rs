//! How fast calls are under half of the load that can be carried, under far more than that, and beside a neighbour who is busy.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tooldock_tests::{Gateway, Tools, eventually};

use crate::line::{Line, Request, closed_loop, open_loop};
use crate::{is_long, seconds, version};

const ECHO: &str = "from tooldock import tool\n\n@tool\nasync def echo(text: str) -> str:\n    \"\"\"Say it again.\"\"\"\n    return text\n";
const REST: &str = "import asyncio\nfrom tooldock import tool\n\n@tool\nasync def rest(seconds: float) -> int:\n    \"\"\"Rest.\"\"\"\n    await asyncio.sleep(seconds)\n    return 1\n";

/// What the machine of an ordinary run, which has other things to do, may take longer.
fn slack() -> Duration {
    Duration::from_secs(if is_long() { 0 } else { 1 })
}

/// The call that is judged, of a hundred by their time: a machine that other things stop for a second of an ordinary run delays a tenth of
/// its calls, and says nothing about them.
fn judged() -> usize {
    if is_long() { 99 } else { 50 }
}

/// L1: at half of what 50 connections can get through, no call fails and 99 of 100 take at most 3 ms, the worker's own time included.
#[test]
fn l1_at_half_the_rate_calls_take_milliseconds_and_none_fails() {
    let tools = Tools::new();
    tools.write("demo", "tool.py", ECHO);
    let gateway = Gateway::start(tools.path());
    let request = Request::mcp(&gateway, "demo", "echo", &json!({"text": "canary"}));
    let most = closed_loop(&request, 50, Duration::from_secs(seconds() / 5));
    let time = Duration::from_secs(seconds());
    // All answers are the same bytes: to read each would cost the machine more than the call.
    let (_, wanted) = Line::open(&request).call();
    let answer: Value = serde_json::from_slice(&wanted).unwrap();
    assert_eq!(
        answer["result"]["structuredContent"]["result"], "canary",
        "{answer}"
    );
    let seen = open_loop(&request, 50, most / 2.0, time, |status, body| {
        assert!(
            (status, body) == (200, &wanted[..]),
            "{status}: {}",
            String::from_utf8_lossy(body)
        );
    });
    let (half, slowest) = (seen.percentile(50), seen.percentile(judged()));
    println!(
        "{most:.0} calls a second at most; {} at half of it: p50 {half:?}, p99 {:?}",
        seen.len(),
        seen.percentile(99)
    );
    assert!(slowest <= Duration::from_millis(3) + slack(), "{slowest:?}");
}

/// Calls of a namespace that run at once, and that wait.
const PLACES: u32 = 16;
const QUEUE: u32 = 64;
/// What one of them takes.
const TAKES: Duration = Duration::from_millis(50);

/// L2: of four times the calls that a namespace can carry, the excess is refused within 100 ms, those that are taken wait for the queue in
/// front of them and no longer, and 5 s later nothing is left of it.
#[test]
fn l2_more_than_can_be_carried_is_refused_at_once() {
    let tools = Tools::new();
    tools.write("demo", "tool.py", REST);
    let gateway = Gateway::start_with(
        tools.path(),
        &[("NAMESPACE_MAX_CONCURRENCY", &PLACES.to_string())],
    );
    let request = Request::rest(&gateway, "demo", "rest", &json!({"seconds": TAKES.as_secs_f64()}));
    let most = f64::from(PLACES) / TAKES.as_secs_f64();
    let calls = |rate: f64, time| {
        open_loop(&request, 240, rate, time, |status, body| {
            assert!(
                [200, 503].contains(&status),
                "{status}: {}",
                String::from_utf8_lossy(body)
            );
        })
    };
    let quiet = calls(most / 2.0, Duration::from_secs(seconds() / 5)).percentile(judged());
    let flood = calls(most * 4.0, Duration::from_secs(seconds()));
    let (taken, refused) = (
        flood.with(|status| status == 200),
        flood.with(|status| status == 503),
    );
    println!(
        "{quiet:?} at half the rate; at four times of it {} taken, p99 {:?}; {} refused, p99 {:?}",
        taken.len(),
        taken.percentile(99),
        refused.len(),
        refused.percentile(99)
    );
    assert!(refused.percentile(judged()) <= Duration::from_millis(100) + slack());
    // Whoever is the last in the queue waits for so many rounds, and has one himself.
    let rounds = QUEUE / PLACES + 1;
    assert!(taken.percentile(judged()) <= quiet * rounds + slack());
    let share = taken.len() as f64 / flood.len() as f64;
    assert!((0.2..0.4).contains(&share) || !is_long(), "{share:.2} were taken");
    eventually("as before", Duration::from_secs(5) + slack(), || {
        let after = calls(most / 2.0, Duration::from_secs(1));
        let whole = after.with(|status| status != 200).len() == 0;
        (whole && after.percentile(judged()) <= quiet * 2 + slack()).then_some(())
    });
}

/// L5: a namespace in which 1,000 calls sleep costs its neighbour no error, and at most as much time again as he needs alone.
#[test]
fn l5_sleeping_calls_cost_a_neighbour_nothing() {
    let tools = Tools::new();
    tools.write("busy", "tool.py", REST);
    tools.write("demo", "tool.py", &version(7));
    let settings = [("TOOL_CALL_TIMEOUT_SECONDS", "3600"), ("MAX_CONCURRENCY", "2000")];
    let gateway = Gateway::start_with(tools.path(), &settings);
    gateway.configure("namespaces: { busy: { max_concurrency: 1000 } }\n");
    assert_eq!(gateway.reload()["ok"], true);
    let request = Request::rest(&gateway, "demo", "version", &json!({}));
    let calls = || {
        let time = Duration::from_secs(seconds() / 2);
        let seen = open_loop(&request, 10, 200.0, time, |status, body| {
            assert_eq!((status, body), (200, &b"7"[..]));
        });
        seen.percentile(judged())
    };
    let quiet = calls();
    let sleep = Request::rest(&gateway, "busy", "rest", &json!({"seconds": 3600}));
    let sleeping: Vec<TcpStream> = (0..1000).map(|_| sleep.leave()).collect();
    let running = || {
        let page = gateway.http().get_text("/metrics").1;
        let line = page
            .lines()
            .find(|line| line.starts_with("tooldock_calls_running") && line.contains("busy"));
        line.is_some_and(|line| line.ends_with(" 1000")).then_some(())
    };
    eventually("all of them sleep", Duration::from_secs(30), running);
    let beside = calls();
    println!(
        "{quiet:?} alone, {beside:?} beside {} sleeping calls",
        sleeping.len()
    );
    assert!(
        beside <= quiet * 2 + slack(),
        "{quiet:?} alone, {beside:?} beside them"
    );
    running().expect("they still sleep");
}
