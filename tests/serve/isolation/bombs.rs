//! Tools that take more than their share.

use std::time::Duration;

use serde_json::{Value, json};
use tooldock_tests::{Unprivileged, eventually};

use super::{ask, start};

/// Within which a namespace serves again.
const AGAIN: Duration = Duration::from_secs(60);

fn serves_again(gateway: &Unprivileged) {
    eventually("serving again", AGAIN, || {
        (ask(gateway, "spy", "who", &json!({})) == "spy").then_some(())
    });
}

/// S88: who asks for too much memory gets an error; his worker and his neighbour go on.
#[test]
fn s88_a_memory_bomb_costs_one_call() {
    let gateway = start(&[("WORKER_MEMORY_MB", "512")]);
    let (spy, victim) = (
        gateway.state("spy")["pid"].clone(),
        gateway.state("victim")["pid"].clone(),
    );
    let answer = gateway
        .http()
        .post("/spy/tools/fill", &json!({"megabytes": 4096}), &[]);
    assert_eq!(answer.status, 500, "{answer:?}");
    assert!(answer.error().contains("MemoryError"), "{answer:?}");
    assert_eq!(ask(&gateway, "spy", "fill", &json!({"megabytes": 50})), 50);
    assert_eq!(
        (&gateway.state("spy")["pid"], &gateway.state("victim")["pid"]),
        (&spy, &victim)
    );
}

/// S88: a fork bomb ends its worker and nothing else, and nothing of it is left.
#[test]
fn s88_a_fork_bomb_costs_its_namespace_only() {
    let gateway = start(&[("WORKER_PROCESSES", "64")]);
    let victim = gateway.state("victim")["pid"].clone();
    let bomb = {
        let http = gateway.http().clone();
        std::thread::spawn(move || http.post("/spy/tools/bomb", &json!({}), &[]))
    };
    while !bomb.is_finished() {
        assert_eq!(ask(&gateway, "victim", "who", &json!({})), "victim");
    }
    let answer = bomb.join().expect("the thread ends");
    assert!(answer.error().contains("WORKER_PROCESSES"), "{answer:?}");
    serves_again(&gateway);
    assert_eq!(gateway.state("victim")["pid"], victim, "the neighbour goes on");
    let children = tooldock_tests::children(gateway.pid());
    assert_eq!(children.len(), 2, "two wardens and nothing else");
}

/// S86: a tool that closes every descriptor breaks its own worker; one that floods its outputs breaks nothing.
#[test]
fn s86_closed_descriptors_and_floods_cost_their_own_namespace_only() {
    let gateway = start(&[]);
    let victim = gateway.state("victim")["pid"].clone();
    assert_eq!(ask(&gateway, "spy", "flood", &json!({})), "done");
    assert_eq!(ask(&gateway, "spy", "who", &json!({})), "spy");
    assert_eq!(ask(&gateway, "spy", "close_all", &json!({})), Value::Null);
    serves_again(&gateway);
    assert_eq!(gateway.state("victim")["pid"], victim);
}
