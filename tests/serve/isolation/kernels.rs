//! What is enforced is told, and what is not is not passed over.

use serde_json::json;
use tooldock_tests::Unprivileged;

use super::{SKIPPED, ask, start};

/// Everything there is to enforce.
const ALL: [&str; 10] = [
    "files",
    "truncation",
    "device_control",
    "signals",
    "abstract_sockets",
    "privileges",
    "system_calls",
    "limits",
    "own_session",
    "unreadable_memory",
];

/// Starts a program on a kernel that knows no Landlock: a filter answers its first system call with ENOSYS.
const OLD_KERNEL: &str = "
import ctypes, os, struct, sys
code = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x50000 | 38), (0x06, 0, 0, 0x7FFF0000)]
filters = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *one) for one in code))
program = ctypes.create_string_buffer(struct.pack('HxxxxxxP', len(code), ctypes.addressof(filters)))
prctl = ctypes.CDLL(None, use_errno=True).prctl
assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, program, 0, 0) == 0, ctypes.get_errno()
os.execv(sys.argv[1], sys.argv[1:])
";

fn on_old_kernel(sandbox: &str) -> Unprivileged {
    let files = [("spy/tools.py", super::SPY)];
    let launcher = ["/usr/bin/python3", "-I", "-c", OLD_KERNEL];
    Unprivileged::start(&files, &[("WORKER_SANDBOX", sandbox)], &launcher)
}

/// S80: the state is shown for each namespace, at both places, and in the log; on this machine nothing is left out that is not
/// in the list of what is skipped.
#[test]
fn s80_what_is_enforced_is_shown() {
    let gateway = start(&[]);
    let enforced: Vec<_> = ALL.into_iter().filter(|one| !SKIPPED.contains(one)).collect();
    let expected = json!({"asked": "best-effort", "enforced": enforced, "missing": SKIPPED});
    assert_eq!(gateway.state("spy")["isolation"], expected);
    let manager = [("x-manager-token", tooldock_tests::CANARIES[1].1)];
    let internal = gateway.http().get_with("/internal/state", &manager);
    assert_eq!(
        internal.body["namespaces"][0]["isolation"], expected,
        "{internal:?}"
    );
    let lines = gateway.log();
    let told = lines
        .lines()
        .filter(|line| line.contains("workers are confined"))
        .count();
    assert_eq!(told, 1, "{lines}");
}

#[test]
fn s80_strict_serves_where_all_of_it_is_enforced() {
    let gateway = start(&[("WORKER_SANDBOX", "strict")]);
    assert_eq!(SKIPPED, [""; 0], "this machine enforces everything");
    assert_eq!(ask(&gateway, "spy", "who", &json!({})), "spy");
    assert_eq!(gateway.state("spy")["isolation"]["asked"], "strict");
}

#[test]
fn s80_an_old_kernel_is_served_best_effort_and_says_what_is_missing() {
    let gateway = on_old_kernel("best-effort");
    assert_eq!(ask(&gateway, "spy", "who", &json!({})), "spy");
    assert_eq!(gateway.state("spy")["isolation"]["missing"], json!(&ALL[..5]));
    assert!(
        gateway.log().contains("workers are confined in part"),
        "{}",
        gateway.log()
    );
}

#[test]
fn s80_strict_refuses_an_old_kernel() {
    let gateway = on_old_kernel("strict");
    let state = gateway.state("spy");
    assert_eq!(state["state"], "failed", "{state}");
    let why = state["failure"].as_str().unwrap_or_default();
    assert!(
        why.contains("WORKER_SANDBOX") && why.contains("`files` (Linux 5.13"),
        "{why}"
    );
}
