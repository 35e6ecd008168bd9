//! What an operator sets, on the command line and in the file, and what the program says about it.

use std::process::{Command, Output};

use serde_json::json;
use tooldock_tests::{Gateway, fixtures, needed};

fn core(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(needed("TOOLDOCK_CORE_BIN"))
        .args(arguments)
        .env_clear()
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn wrong_settings_end_the_program_with_78_and_one_report() {
    let output = core(
        &["serve", "--port", "99999"],
        &[
            ("SERVER_MODE", "all"),
            ("TOOLDOCK_PORTS", "1"),
            ("MAX_BODY_BYTES", "many"),
        ],
    );
    let report = text(&output.stderr);
    assert_eq!(output.status.code(), Some(78), "{report}");
    for word in [
        "BEARER_TOKEN is not set",
        "SECRETS_KEY is not set; make one with `tooldock-manager keygen`",
        "PORT is `99999`",
        "SERVER_MODE",
        "TOOLDOCK_PORTS is no setting",
        "MAX_BODY_BYTES is `many`",
    ] {
        assert!(report.contains(word), "{word} is missing in {report}");
    }
}

#[test]
fn a_wrong_number_of_threads_is_named_with_all_other_mistakes() {
    for (number, said) in [
        ("many", "SERVER_THREADS is `many`; it must be a whole number"),
        ("1025", "SERVER_THREADS is 1025; it must be 0 to 1024"),
    ] {
        let output = core(&["serve", "--port", "many"], &[("SERVER_THREADS", number)]);
        let report = text(&output.stderr);
        assert_eq!(output.status.code(), Some(78), "{report}");
        assert!(
            report.contains(said) && report.contains("PORT is `many`"),
            "{report}"
        );
    }
}

#[test]
fn a_wrong_command_line_ends_with_64() {
    let output = core(&["serve", "--prot", "1"], &[]);
    assert_eq!(output.status.code(), Some(64));
    assert!(
        text(&output.stderr).contains("--port"),
        "the right flag is proposed"
    );
}

#[test]
fn s81_the_effective_settings_are_shown_with_their_source_and_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("config.yaml"),
        "settings: { TOOL_CALL_TIMEOUT_SECONDS: 60, PORT: 9000 }\n",
    )
    .unwrap();
    let data = folder.path().to_str().unwrap();
    let output = core(
        &["serve", "--print-config", "--data-dir", data, "--port", "9001"],
        &[
            ("BEARER_TOKEN", "canary-canary-canary"),
            ("SECRETS_KEY", "canary-of-the-secrets"),
            ("MAX_CONNECTIONS", "100"),
        ],
    );
    let page = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let line = |name: &str| {
        page.lines()
            .find(|line| line.starts_with(name))
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(line("PORT "), "PORT 9001 (flag)");
    assert_eq!(line("MAX_CONNECTIONS"), "MAX_CONNECTIONS 100 (environment)");
    assert_eq!(
        line("TOOL_CALL_TIMEOUT_SECONDS"),
        "TOOL_CALL_TIMEOUT_SECONDS 60 (config.yaml)"
    );
    assert_eq!(line("DRAIN_SECONDS"), "DRAIN_SECONDS 30 (default)");
    assert_eq!(line("BEARER_TOKEN"), "BEARER_TOKEN set (environment)");
    assert_eq!(line("SECRETS_KEY "), "SECRETS_KEY set (environment)");
    assert!(!page.contains("canary"), "{page}");
}

#[test]
fn f23_the_file_sets_single_namespaces_and_a_reload_reads_it_again() {
    let gateway = Gateway::start(fixtures());
    let http = gateway.http();
    gateway.configure("namespaces:\n  demo: { timeout_seconds: 1, workers: 2, tools: { deny: [fail] } }\n  second: { enabled: false }\n");
    let report = gateway.reload();
    assert_eq!(report["ok"], true, "{report}");
    let slow = http.post("/demo/tools/rest", &json!({"seconds": 20}), &[]);
    assert_eq!(slow.status, 504, "{slow:?}");
    assert!(
        slow.error().contains("timeout_seconds"),
        "the limit that fired is named: {slow:?}"
    );
    assert_eq!(
        http.post("/demo/tools/fail", &json!({}), &[]).status,
        404,
        "a denied tool is unknown"
    );
    assert_eq!(http.get("/second/tools").status, 404);
    let list = http.get("/namespaces").body;
    assert_eq!(
        list["namespaces"][0]["pids"].as_array().map(Vec::len),
        Some(2),
        "{list}"
    );
    gateway.configure("namespaces:\n  demo: { timeout: 1 }\n");
    let report = gateway.reload();
    assert!(report["rejected"].to_string().contains("config.yaml"), "{report}");
    assert_eq!(
        http.post("/demo/tools/fail", &json!({}), &[]).status,
        404,
        "a file with mistakes changes nothing"
    );
    gateway.configure("");
    assert_eq!(gateway.reload()["ok"], true);
    assert_eq!(http.post("/demo/tools/fail", &json!({}), &[]).status, 500);
}

/// Limits and the choice of tools are obeyed in front of the workers, which go on; a plan puts nothing into effect.
#[test]
fn policies_in_the_file_restart_no_worker_and_count_only_after_a_reload() {
    let gateway = Gateway::start(fixtures());
    let http = gateway.http();
    let worker = gateway.worker("demo");
    let fail = || http.post("/demo/tools/fail", &json!({}), &[]).status;
    gateway.configure(
        "namespaces:\n  demo: { timeout_seconds: 1, max_concurrency: 3, tools: { deny: [fail] } }\n",
    );
    let plan = gateway.plan();
    assert_eq!(plan["namespaces"][0]["action"], "adjust", "{plan}");
    assert_eq!(fail(), 500, "a plan changes nothing");
    let report = gateway.reload();
    assert_eq!(report["namespaces"][0]["action"], "adjust", "{report}");
    assert_eq!(
        report["namespaces"][0]["tools"]["removed"],
        json!(["fail"]),
        "{report}"
    );
    assert_eq!(fail(), 404);
    let slow = http.post("/demo/tools/rest", &json!({"seconds": 20}), &[]);
    assert_eq!(slow.status, 504, "{slow:?}");
    assert_eq!(gateway.worker("demo"), worker, "the same process serves on");
    gateway.configure("namespaces:\n  demo: { environment: { REGION: eu } }\n");
    let report = gateway.reload();
    assert_eq!(report["namespaces"][0]["action"], "replace", "{report}");
    assert_ne!(
        gateway.worker("demo"),
        worker,
        "an environment needs a new process"
    );
}
