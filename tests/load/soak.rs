//! The long run: mixed calls, a killed worker now and then, reloads, and nothing that grows or stays behind.

use std::env;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tooldock_tests::{Gateway, Http, Tools, eventually};

use crate::fleet::family;
use crate::line::Request;
use crate::version;

const TOOLS: &str = r#"
import asyncio
from tooldock import tool


@tool
async def echo(text: str) -> str:
    """Say it again."""
    return text


@tool
def compute(until: int) -> int:
    """Hold a thread for a moment."""
    return sum(range(until))


@tool
def large() -> str:
    """Much."""
    return "x" * 1_000_000


@tool
def fail() -> int:
    """Fail."""
    raise ValueError("as asked")


@tool
async def rest() -> int:
    """Rest for longer than anybody waits."""
    await asyncio.sleep(600)
    return 1
"#;

/// A namespace whose worker lives, and two whose workers are killed in turn: one that dies within a minute of its start counts as ill.
const NAMESPACES: [&str; 3] = ["steady", "first", "second"];
/// Between two calls of one kind.
const PACE: Duration = Duration::from_millis(50);
/// For how long after the kill of its worker a namespace may be without one.
const AGAIN: Duration = Duration::from_secs(5);
/// How much more memory the gateway may hold at the end than after warming up.
const GROWTH: f64 = 1.05;

#[allow(
    clippy::disallowed_methods,
    reason = "this is how the soak asks for a longer run"
)]
fn length() -> Duration {
    let seconds = env::var("TOOLDOCK_SOAK_SECONDS");
    Duration::from_secs(seconds.map_or(15, |text| text.parse().expect("a number of seconds")))
}

/// What is done again and again in a namespace; true when it came out as it must.
type Deed = fn(&Http, &str) -> bool;

const DEEDS: &[(&str, Deed)] = &[
    ("echo over REST", |http, namespace| {
        let answer = http.post(
            &format!("/{namespace}/tools/echo"),
            &json!({"text": "hello"}),
            &[],
        );
        answer.body == "hello"
    }),
    ("compute", |http, namespace| {
        let answer = http.post(
            &format!("/{namespace}/tools/compute"),
            &json!({"until": 1000}),
            &[],
        );
        answer.body == 499_500
    }),
    ("a large result", |http, namespace| {
        let answer = http.post(&format!("/{namespace}/tools/large"), &json!({}), &[]);
        answer.body.as_str().is_some_and(|text| text.len() == 1_000_000)
    }),
    ("a tool that fails", |http, namespace| {
        let answer = http.post(&format!("/{namespace}/tools/fail"), &json!({}), &[]);
        answer.status == 500 && answer.error().contains("as asked")
    }),
    ("a refusal", |http, namespace| {
        http.post(&format!("/{namespace}/tools/echo"), &json!({"text": []}), &[])
            .status
            == 422
    }),
    ("a list", |http, namespace| {
        http.get(&format!("/{namespace}/tools")).status == 200
    }),
    ("a session", in_a_session),
];

/// A session of MCP: opened, used for a call, closed.
fn in_a_session(http: &Http, namespace: &str) -> bool {
    let path = format!("/{namespace}/mcp");
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}});
    let Some(session) = http.post_for_header(&path, &hello, "mcp-session-id") else {
        return false;
    };
    let headers = [
        ("accept", "application/json, text/event-stream"),
        ("mcp-session-id", session.as_str()),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let listed = http.post_raw(&path, &list.to_string(), &headers);
    listed.0 == 200 && listed.1.contains("compute") && http.delete(&path, &headers) < 300
}

/// What the gateway holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    memory: u64,
    descriptors: usize,
    threads: u64,
}

impl Held {
    /// What the process `pid` holds now.
    fn by(pid: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let field = |name: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().next().unwrap().parse().unwrap()
        };
        Self {
            memory: field("VmRSS:"),
            descriptors: fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count(),
            threads: field("Threads:"),
        }
    }

    /// The middle of what was held at several moments.
    fn middle(moments: &[Self]) -> Self {
        let of = |value: fn(&Self) -> u64| {
            let mut values: Vec<u64> = moments.iter().map(value).collect();
            values.sort_unstable();
            values[values.len() / 2]
        };
        Self {
            memory: of(|held| held.memory),
            descriptors: of(|held| held.descriptors as u64) as usize,
            threads: of(|held| held.threads),
        }
    }
}

/// Processes below `pid` that have ended and that nobody has buried.
fn zombies(pid: u32) -> Vec<u32> {
    let is_dead = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ")
            .is_some_and(|(_, fields)| fields.starts_with('Z'))
    };
    family(pid).into_iter().filter(is_dead).collect()
}

/// L7: for an hour, or as long as it is asked to, a worker is killed each minute and a namespace reloaded every five. Nothing fails but what
/// the kill explains, and after the first fifth nothing grows.
#[test]
fn l7_nothing_grows_and_nothing_fails_without_a_cause() {
    let length = length();
    let kill = Duration::from_secs(60).min(length / 4);
    let reload = Duration::from_secs(300).min(length / 4);
    let tools = Tools::new();
    for namespace in NAMESPACES {
        tools.write(namespace, "tool.py", TOOLS);
    }
    tools.write("changing", "tool.py", &version(0));
    let gateway = Gateway::start(tools.path());
    let (begin, stop, calls) = (Instant::now(), AtomicBool::new(false), AtomicU64::new(0));
    let (failures, killed) = (Mutex::new(Vec::new()), Mutex::new(Vec::<(&str, Instant)>::new()));
    let (mut moments, mut kills, mut reloads) = (Vec::new(), 0, 0);
    thread::scope(|scope| {
        for (number, (name, deed)) in DEEDS.iter().enumerate() {
            let (http, stop, calls, failures, killed) = (gateway.http(), &stop, &calls, &failures, &killed);
            scope.spawn(move || {
                for count in 0_u32.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let namespace = NAMESPACES[(number + count as usize) % NAMESPACES.len()];
                    let at = Instant::now();
                    let well = deed(&http, namespace);
                    calls.fetch_add(1, Ordering::Relaxed);
                    let of_kill = |(victim, kill): &(&str, Instant)| {
                        *victim == namespace && at <= *kill + AGAIN && Instant::now() >= *kill
                    };
                    let explained = killed.lock().unwrap().iter().any(of_kill);
                    if !well && !explained {
                        failures
                            .lock()
                            .unwrap()
                            .push(format!("{name} in {namespace} after {:?}", begin.elapsed()));
                    }
                    thread::park_timeout(PACE.saturating_sub(at.elapsed()));
                }
            });
        }
        let leave = Request::rest(&gateway, "steady", "rest", &json!({}));
        while begin.elapsed() < length {
            // Who hangs up leaves nothing behind.
            drop(leave.leave());
            if begin.elapsed() >= kill * (kills + 1) {
                let victim = NAMESPACES[1 + kills as usize % 2];
                killed.lock().unwrap().push((victim, Instant::now()));
                if let Some(pid) = gateway
                    .worker(victim)
                    .and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?))
                {
                    let _ = kill_process(pid, Signal::KILL);
                }
                kills += 1;
            }
            if begin.elapsed() >= reload * (reloads + 1) {
                reloads += 1;
                tools.write("changing", "tool.py", &version(reloads.into()));
                let report = gateway.reload();
                assert_eq!(report["ok"], true, "{report}");
            }
            moments.push(Held::by(gateway.pid()));
            thread::park_timeout(length / 300);
        }
        stop.store(true, Ordering::Relaxed);
    });
    let failures = failures.into_inner().unwrap();
    let fifth = moments.len() / 5;
    let (warm, last) = (&moments[fifth..2 * fifth], &moments[moments.len() - fifth..]);
    let (warm, last) = (Held::middle(warm), Held::middle(last));
    println!(
        "{} calls in {:?}, {kills} kills, {reloads} reloads; {warm:?} after warming up, {last:?} at the end",
        calls.into_inner(),
        begin.elapsed()
    );
    assert!(
        failures.is_empty(),
        "{} failed, first of all:\n{}",
        failures.len(),
        failures[..failures.len().min(20)].join("\n")
    );
    let answer = gateway.http().post("/changing/tools/version", &json!({}), &[]);
    assert_eq!(answer.body, json!(reloads));
    eventually("nobody is left unburied", AGAIN, || {
        zombies(gateway.pid()).is_empty().then_some(())
    });
    // In a short run the memory of the first minutes is still filling.
    if length >= Duration::from_secs(1800) {
        assert!(
            last.memory as f64 <= warm.memory as f64 * GROWTH,
            "{warm:?}, {last:?}"
        );
    }
    assert!(
        last.descriptors <= warm.descriptors + 2 && last.threads <= warm.threads + 2,
        "{warm:?}, {last:?}"
    );
    let running = gateway.http().get_text("/metrics").1;
    let left = |line: &&str| line.starts_with("tooldock_calls_running") && !line.ends_with(" 0");
    let left: Vec<&str> = running.lines().filter(left).collect();
    assert_eq!(left, [""; 0], "calls that nobody waits for");
}
