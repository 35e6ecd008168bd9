//! Many small namespaces: how long they take to start, and what they cost while nobody calls.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tooldock_tests::{Gateway, Tools, children, eventually};

use crate::is_long;

const ONE: &str =
    "from tooldock import tool\n\n@tool\nasync def one() -> int:\n    \"\"\"One.\"\"\"\n    return 1\n";
/// Within which all of them answer.
const START: Duration = Duration::from_secs(90);
/// Memory of one namespace, what it shares with others counted in part: its worker and its warden.
const MEMORY: u64 = 30 << 10;
/// Share of a processor that one namespace uses.
const IDLE: f64 = 0.0002;

/// Every process below the gateway `pid`.
pub(crate) fn family(pid: u32) -> Vec<u32> {
    let wardens = children(pid);
    let workers = wardens.iter().flat_map(|warden| children(*warden));
    let workers: Vec<u32> = workers.collect();
    [wardens, workers].concat()
}

/// KiB of memory of the processes, shared pages counted in part.
fn memory(pids: &[u32]) -> u64 {
    let share = |pid: &u32| {
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.trim_end_matches(" kB").trim().parse::<u64>().ok()
    };
    pids.iter().filter_map(share).sum()
}

/// Hundredths of a second of processor time of the processes.
fn processor(pids: &[u32]) -> u64 {
    let used = |pid: &u32| {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
        Some(fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?)
    };
    pids.iter().filter_map(used).sum()
}

#[test]
fn many_namespaces_start_in_time_and_cost_little_while_nobody_calls() {
    let (count, quiet) = if is_long() { (200, 30) } else { (10, 3) };
    let tools = Tools::new();
    (0..count).for_each(|number| tools.write(&format!("n{number}"), "tool.py", ONE));
    let begin = Instant::now();
    let gateway = Gateway::start_with(tools.path(), &[("WORKER_IDLE_SECONDS", "0")]);
    let started = begin.elapsed();
    let pids = family(gateway.pid());
    assert_eq!(pids.len(), 2 * count, "a worker and a warden each");
    let memory = memory(&pids) / count as u64;
    let before = processor(&pids);
    thread::park_timeout(Duration::from_secs(quiet));
    let used = (processor(&pids) - before) as f64 / 100.0 / quiet as f64 / count as f64;
    println!(
        "{count} namespaces: start {started:?}, {memory} KiB each, {:.4} % of a processor each",
        used * 100.0
    );
    assert!(started < START, "{started:?}");
    assert!(memory < MEMORY, "{memory} KiB");
    // A single tick weighs too much in a short time.
    assert!(used <= IDLE || !is_long(), "{used}");
    drop(gateway);

    let gateway = Gateway::start_with(tools.path(), &[("WORKER_IDLE_SECONDS", "2")]);
    let none = || children(gateway.pid()).is_empty().then_some(());
    eventually("nobody calls, so there is no process", START, none);
    let begin = Instant::now();
    assert_eq!(gateway.http().post("/n3/tools/one", &json!({}), &[]).body, 1);
    println!("woken by a call within {:?}", begin.elapsed());
    assert_eq!(children(gateway.pid()).len(), 1, "only who is called is woken");
}
