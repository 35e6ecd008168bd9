//! What a worker learns of other processes.

use serde_json::{Value, json};
use tooldock_tests::CANARIES;

use super::{ask, attempt, start};

const SECRET: &str = "canary-of-the-victim-90d2";

/// S78: nothing of the gateway; home and temporary folder of its own; its secret.
#[test]
fn s78_the_environment_of_a_tool_is_a_short_list() {
    let gateway = start(&[
        ("AWS_SECRET_ACCESS_KEY", "canary-of-the-cloud"),
        ("LANG", "C.UTF-8"),
    ]);
    gateway.set_secret("victim", "API_TOKEN", SECRET);
    for (namespace, own) in [("victim", "API_TOKEN"), ("spy", "")] {
        let environment = ask(&gateway, namespace, "environment", &json!({}));
        let names: Vec<_> = environment
            .as_object()
            .expect("an object")
            .keys()
            .map(String::as_str)
            .collect();
        let allowed = [
            "PATH",
            "HOME",
            "LANG",
            "LC_CTYPE",
            "TMPDIR",
            "TOOLDOCK_NAMESPACE_DIR",
            own,
        ];
        let strange: Vec<_> = names.iter().filter(|name| !allowed.contains(*name)).collect();
        assert!(strange.is_empty(), "{strange:?}");
        let data = gateway.data_folder();
        let home = data.join("homes").join(namespace);
        assert_eq!(environment["HOME"], home.to_str().expect("text"));
        let temp = environment["TMPDIR"].as_str().expect("it is set");
        assert!(
            temp.starts_with(data.join("tmp").to_str().expect("text")),
            "{temp}"
        );
    }
}

/// S79 and S80: a walk through all of `/proc` opens nothing of anybody else and finds no token, key or foreign secret, also not
/// with a program that the neighbour has started and that has its secrets in its environment.
#[test]
fn s79_s80_a_worker_finds_nothing_in_proc() {
    let gateway = start(&[]);
    gateway.set_secret("victim", "API_TOKEN", SECRET);
    assert!(ask(&gateway, "victim", "child", &json!({})).is_u64());
    let needles: Vec<_> = CANARIES.iter().map(|(_, value)| *value).chain([SECRET]).collect();
    let walk = ask(&gateway, "spy", "walk", &json!({"needles": needles}));
    assert_eq!(walk, json!({"opened": [], "found": []}));
}

/// S79: even without a sandbox the memory of a worker is closed to processes of the same user.
#[test]
fn s79_a_worker_is_not_looked_into_without_a_sandbox_either() {
    let gateway = start(&[("WORKER_SANDBOX", "off")]);
    let victim = gateway.state("victim")["pid"].to_string();
    let ways = [
        ("read", "environ"),
        ("read", "maps"),
        ("read", "mem"),
        ("list_", "fd"),
        ("look", "cwd"),
    ];
    let attempts = ways.map(|(way, file)| (way, format!("/proc/{victim}/{file}")));
    let outcomes = attempt(&gateway, &attempts);
    assert!(
        outcomes
            .iter()
            .all(|line| line.ends_with(": EACCES") || line.ends_with(": EPERM")),
        "{outcomes:#?}"
    );
    let isolation = &gateway.state("victim")["isolation"];
    assert_eq!(
        *isolation,
        json!({"asked": "off", "enforced": ["own_session", "unreadable_memory"], "missing": Value::Array(vec![])})
    );
}
