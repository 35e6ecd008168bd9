//! What a worker can reach, use and harm: not its neighbours, not the gateway.
//!
//! Gateway and workers run as one user without privileges, so that what is closed is closed by the sandbox and not by the owner
//! of a file. Where it matters the same attempt is made without a sandbox too, and succeeds.

mod bombs;
mod files;
mod kernels;
mod leftovers;
mod ordinary;
mod processes;
mod syscalls;
mod users;

use serde_json::{Value, json};
use tooldock_tests::Unprivileged;

/// A tool author who looks around.
const SPY: &str = include_str!("spy.py");

/// What this machine cannot enforce. Nothing is left out unless it stands here.
const SKIPPED: [&str; 0] = [];

/// Two namespaces of the same spy: `spy` and `victim`.
fn start(settings: &[(&str, &str)]) -> Unprivileged {
    Unprivileged::start(&[("spy/tools.py", SPY), ("victim/tools.py", SPY)], settings, &[])
}

/// Calls a tool and gives its value; `Null` when it fails.
fn ask(gateway: &Unprivileged, namespace: &str, tool: &str, arguments: &Value) -> Value {
    let answer = gateway
        .http()
        .post(&format!("/{namespace}/tools/{tool}"), arguments, &[]);
    if answer.status == 200 {
        answer.body
    } else {
        Value::Null
    }
}

/// What happens to each of `attempts`, which are pairs of a way and a place.
fn attempt(gateway: &Unprivileged, attempts: &[(&str, String)]) -> Vec<String> {
    let outcome = |(way, place): &(&str, String)| {
        let outcome = ask(gateway, "spy", way, &json!({"place": place}));
        format!("{way} {place}: {}", outcome.as_str().unwrap_or("no answer"))
    };
    attempts.iter().map(outcome).collect()
}
