//! The page of metrics as Prometheus reads it.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::json;
use tooldock::telemetry::FAMILIES;
use tooldock_tests::{Gateway, fixtures, needed};

/// The number behind the line that begins so.
fn number(page: &str, series: &str) -> f64 {
    let line = page.lines().find_map(|line| line.strip_prefix(series));
    let value = line.unwrap_or_else(|| panic!("{series} is missing in\n{page}"));
    value.trim().parse().unwrap()
}

#[test]
fn promtool_accepts_the_page_and_every_family_is_on_it() {
    let gateway = Gateway::start(fixtures());
    for _ in 0..3 {
        let answer = gateway
            .http()
            .post("/demo/tools/add", &json!({"a": 1, "b": 2}), &[]);
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    let (status, page) = gateway.http().get_text("/metrics");
    assert_eq!(status, 200);
    for family in FAMILIES {
        assert!(
            page.contains(&format!("# TYPE {} ", family.name)),
            "{} is missing",
            family.name
        );
    }
    let add = r#"namespace="demo",what="tool",tool="add",door="rest""#;
    assert_eq!(
        number(&page, &format!("tooldock_calls_total{{{add},outcome=\"ok\"}}")),
        3.0
    );
    assert_eq!(
        number(&page, &format!("tooldock_call_duration_seconds_count{{{add}}}")),
        3.0
    );
    let worker = r#"{namespace="demo",worker="0"}"#;
    assert!(number(&page, &format!("tooldock_worker_resident_bytes{worker}")) > 1e6);
    assert!(number(&page, &format!("tooldock_worker_cpu_seconds_total{worker}")) > 0.0);
    assert_eq!(
        number(&page, &format!("tooldock_worker_starts_total{worker}")),
        1.0
    );
    assert!(number(&page, "process_resident_memory_bytes") > 1e6);

    let mut promtool = Command::new(needed("TOOLDOCK_PROMTOOL"));
    let promtool = promtool.args(["check", "metrics"]).stdin(Stdio::piped());
    let mut child = promtool
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    let judged = child.wait_with_output().unwrap();
    assert!(
        judged.status.success(),
        "{}",
        String::from_utf8_lossy(&judged.stderr)
    );
}
