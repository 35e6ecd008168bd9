//! A namespace whose every call takes long.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tooldock_tests::{Answer, Gateway, Tools};

const REST: &str = "import asyncio\nfrom tooldock import tool\n\n@tool\nasync def rest() -> str:\n    \"\"\"Rest.\"\"\"\n    await asyncio.sleep(10)\n    return 'rested'\n";
const QUICK: &str =
    "from tooldock import tool\n\n@tool\nasync def quick() -> int:\n    \"\"\"One.\"\"\"\n    return 1\n";
/// Calls that run, wait, and find no place.
const RUN: usize = 16;
const WAIT: usize = 64;
const MORE: usize = 120;

/// MiB that the process holds.
fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim_end_matches(" kB").trim().parse::<u64>().unwrap() >> 10
}

/// R4: of many calls that take 10 s each, 16 run and are answered, 64 wait and give up after 5 s, and all others are refused at once with
/// the name of the limit. The neighbour and the memory of the core do not notice.
#[test]
fn r4_a_slow_worker_meets_the_limits_and_nobody_else_notices() {
    let tools = Tools::new();
    tools.write("slow", "rest.py", REST);
    tools.write("other", "quick.py", QUICK);
    let gateway = Gateway::start_with(tools.path(), &[("NAMESPACE_MAX_CONCURRENCY", "16")]);
    let before = resident(gateway.pid());
    thread::scope(|scope| {
        let calls: Vec<_> = (0..RUN + WAIT + MORE)
            .map(|_| {
                let http = gateway.http();
                scope.spawn(move || {
                    let begin = Instant::now();
                    (http.post("/slow/tools/rest", &json!({}), &[]), begin.elapsed())
                })
            })
            .collect();
        let (http, mut worst) = (gateway.http(), Duration::ZERO);
        while calls.iter().any(|call| !call.is_finished()) {
            let begin = Instant::now();
            let answer = http.post("/other/tools/quick", &json!({}), &[]);
            assert_eq!(answer.body, 1, "{answer:?}");
            worst = worst.max(begin.elapsed());
            thread::park_timeout(Duration::from_millis(20));
        }
        assert!(worst < Duration::from_secs(1), "the neighbour waited {worst:?}");
        let ended: Vec<(Answer, Duration)> = calls.into_iter().map(|call| call.join().unwrap()).collect();
        let (rested, refused): (Vec<_>, Vec<_>) =
            ended.iter().partition(|(answer, _)| answer.body == "rested");
        assert_eq!(rested.len(), RUN);
        for (answer, _) in &refused {
            assert_eq!(answer.status, 503, "{answer:?}");
            assert!(answer.error().contains("NAMESPACE_MAX_CONCURRENCY"), "{answer:?}");
        }
        let waited = |(_, took): &&&(Answer, Duration)| *took >= Duration::from_millis(4900);
        assert_eq!(refused.iter().filter(waited).count(), WAIT);
        let longest = refused.iter().map(|(_, took)| *took).max();
        assert!(longest < Some(Duration::from_secs(8)), "{longest:?}");
    });
    let grown = resident(gateway.pid()).saturating_sub(before);
    assert!(grown < 24, "the core grew by {grown} MiB");
}
