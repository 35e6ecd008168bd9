//! Which system calls a worker is kept from.

use serde_json::{Value, json};

use super::{ask, start};

/// What programs have another way for, and what belongs to another machine.
const ABSENT: [&str; 5] = [
    "clone3",
    "io_uring_setup",
    "io_uring_enter",
    "x32_getpid",
    "x32_ptrace",
];

fn told(settings: &[(&str, &str)]) -> serde_json::Map<String, Value> {
    let gateway = start(settings);
    let told = ask(&gateway, "spy", "system_calls", &json!({}));
    told.as_object().expect("what each call came to").clone()
}

/// S82: calls into other processes and deep into the kernel are refused; what programs can do in another way is not there.
#[test]
fn s82_system_calls_into_others_and_deep_into_the_kernel_are_closed() {
    let told = told(&[]);
    assert!(told.len() >= 27, "{told:#?}");
    for (call, answer) in &told {
        let expected = if ABSENT.contains(&call.as_str()) {
            "ENOSYS"
        } else {
            "EPERM"
        };
        assert_eq!(answer, expected, "`{call}`");
    }
}

/// The control: without the filter the kernel itself answers otherwise, but where it asks for rights that no worker has.
#[test]
fn s82_without_the_filter_the_kernel_answers() {
    let told = told(&[("WORKER_FILTER_SYSTEM_CALLS", "false")]);
    let open = [
        "ptrace",
        "process_vm_readv",
        "process_vm_writev",
        "unshare",
        "setns",
        "keyctl",
        "clone",
        "clone3",
        "io_uring_setup",
    ];
    for call in open {
        assert!(
            !["EPERM", "ENOSYS"].contains(&told[call].as_str().unwrap_or_default()),
            "`{call}`: {}",
            told[call]
        );
    }
}

/// One namespace may be without the filter, and the list of namespaces shows it.
#[test]
fn s80_a_namespace_without_the_filter_is_shown_as_such() {
    let gateway = start(&[("WORKER_FILTER_SYSTEM_CALLS", "false")]);
    let isolation = &gateway.state("spy")["isolation"];
    let enforced = isolation["enforced"].as_array().expect("a list");
    assert!(!enforced.contains(&json!("system_calls")), "{isolation}");
    assert_eq!(
        isolation["missing"],
        json!([]),
        "what nobody asks for is not missing"
    );
}
