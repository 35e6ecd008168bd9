//! What a gateway may cost.

use std::fs;
use std::time::{Duration, Instant};

use tooldock_tests::{Gateway, Tools, fixtures};

/// Resident memory of a process in KiB.
fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn an_idle_core_stays_under_20_mib() {
    let gateway = Gateway::start(fixtures());
    assert_eq!(gateway.http().get("/health").status, 200);
    let kib = resident(gateway.pid());
    assert!(kib < 20 << 10, "{kib} KiB");
}

/// The best of three, because other processes of the machine may take the processor away meanwhile.
#[test]
fn a_worker_without_requirements_is_ready_half_a_second_after_it_is_noticed() {
    let tools = Tools::new();
    tools.write(
        "first",
        "a.py",
        "from tooldock import tool\n\n@tool\ndef a() -> int:\n    \"\"\"One.\"\"\"\n    return 1\n",
    );
    let gateway = Gateway::start(tools.path());
    let times = (0..3).map(|n| {
        let name = format!("new{n}");
        tools.write(
            &name,
            "a.py",
            "from tooldock import tool\n\n@tool\ndef a() -> int:\n    \"\"\"One.\"\"\"\n    return 1\n",
        );
        let begin = Instant::now();
        let report = gateway.reload();
        let took = begin.elapsed();
        assert_eq!(report["ok"], true, "{report}");
        assert!(gateway.worker(&name).is_some(), "{report}");
        took
    });
    let best = times.min().unwrap();
    assert!(best < Duration::from_millis(500), "{best:?}");
}
