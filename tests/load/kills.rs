//! Workers that are killed at random instants while calls go on.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tooldock_tests::{Gateway, Tools, children, eventually};

use crate::is_long;

const REST: &str = "import asyncio\nfrom tooldock import tool\n\n@tool\nasync def rest(seconds: float) -> str:\n    \"\"\"Rest.\"\"\"\n    await asyncio.sleep(seconds)\n    return 'rested'\n";

/// Within which a call whose worker is killed is told so.
const TOLD: Duration = Duration::from_secs(1);
/// A call that found its way before the death of its worker was noticed may have begun so much after it.
const NOTICED: Duration = Duration::from_millis(100);
const CALLERS: usize = 8;

/// A call that failed.
#[derive(Debug)]
struct Failure {
    namespace: usize,
    begin: Instant,
    end: Instant,
    told: String,
}

/// Kills at random instants, each of one of several workers: only the calls in flight on it fail, each with a clean error within a second.
#[test]
fn r1_only_calls_in_flight_fail_when_workers_are_killed() {
    let (kills, namespaces, workers) = if is_long() { (500, 20, 3) } else { (20, 3, 2) };
    let tools = Tools::new();
    (0..namespaces).for_each(|number| tools.write(&format!("n{number}"), "tool.py", REST));
    let gateway = Gateway::start(tools.path());
    let lines: String = (0..namespaces)
        .map(|number| format!("  n{number}: {{ workers: {workers} }}\n"))
        .collect();
    gateway.configure(&format!("namespaces:\n{lines}"));
    assert_eq!(gateway.reload()["ok"], true);
    let all = || (children(gateway.pid()).len() == namespaces * workers).then_some(());
    eventually("every worker", Duration::from_secs(180), all);

    let (stop, calls) = (AtomicBool::new(false), AtomicU64::new(0));
    let (failures, killed) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let random = |below: usize| RandomState::new().hash_one(Instant::now()) as usize % below;
    thread::scope(|scope| {
        for _ in 0..CALLERS {
            let http = gateway.http();
            let (stop, calls, failures) = (&stop, &calls, &failures);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let (namespace, begin) = (random(namespaces), Instant::now());
                    let body = json!({"seconds": random(50) as f64 / 1000.0});
                    let answer = http.post(&format!("/n{namespace}/tools/rest"), &body, &[]);
                    calls.fetch_add(1, Ordering::Relaxed);
                    if answer.body != "rested" {
                        let told = format!("{} {}", answer.status, answer.body["error"]);
                        let failure = Failure {
                            namespace,
                            begin,
                            end: Instant::now(),
                            told,
                        };
                        failures.lock().unwrap().push(failure);
                    }
                }
            });
        }
        let (http, mut dead) = (gateway.http(), Vec::new());
        while killed.lock().unwrap().len() < kills {
            thread::park_timeout(Duration::from_millis(random(100) as u64));
            let list = http.get("/namespaces").body;
            let victim = random(namespaces);
            let line = list["namespaces"]
                .as_array()
                .unwrap()
                .iter()
                .find(|line| line["name"] == format!("n{victim}"));
            let mut pids = line.unwrap()["pids"].as_array().cloned().unwrap_or_default();
            // Whose death has not been noticed yet. One that stands alone would take its namespace away with it.
            pids.retain(|pid| !dead.contains(pid));
            if pids.len() < 2 {
                continue;
            }
            let pid = i32::try_from(pids[random(pids.len())].as_i64().unwrap()).unwrap();
            let now = Instant::now();
            if kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).is_ok() {
                killed.lock().unwrap().push((victim, now));
                dead.push(json!(pid));
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    let (failures, killed) = (failures.into_inner().unwrap(), killed.into_inner().unwrap());
    let explained = |failure: &&Failure| {
        let of_kill = |(victim, at): &(usize, Instant)| {
            *victim == failure.namespace
                && failure.begin <= *at + NOTICED
                && failure.end >= *at
                && failure.end - *at <= TOLD
        };
        failure.told.contains("worker_crashed")
            && failure.told.contains("signal 9")
            && killed.iter().any(of_kill)
    };
    let strange: Vec<&Failure> = failures.iter().filter(|failure| !explained(failure)).collect();
    println!(
        "{} kills, {} calls, {} failed in flight",
        killed.len(),
        calls.load(Ordering::Relaxed),
        failures.len()
    );
    assert!(
        strange.is_empty(),
        "{} of {} failures: {strange:#?}",
        strange.len(),
        failures.len()
    );
    assert!(
        calls.load(Ordering::Relaxed) > 20 * kills as u64,
        "there was load"
    );
}
