//! Rates, reloads, kills and many namespaces under load. `TOOLDOCK_LOAD_SECONDS` makes it longer than the ten seconds of an ordinary run,
//! and `TOOLDOCK_SOAK_SECONDS` the one test that looks for what grows.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod crew;
mod edges;
mod fleet;
mod kills;
mod line;
mod rates;
mod soak;

use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tooldock_tests::{Gateway, Http, Tools};

/// Calls a second, over all callers.
const RATE: u32 = 200;
const CALLERS: u32 = 4;

/// What the callers saw.
#[derive(Debug, Default)]
struct Seen {
    stop: AtomicBool,
    calls: AtomicU64,
    failures: Mutex<Vec<String>>,
}

impl Seen {
    /// Calls `path` at an even pace until it is stopped; a late call is not left out.
    fn keep_calling(&self, http: &Http, path: &str) {
        let pace = Duration::from_secs(1) * CALLERS / RATE;
        let begin = Instant::now();
        for n in 0.. {
            thread::park_timeout((pace * n).saturating_sub(begin.elapsed()));
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let answer = http.post(path, &json!({}), &[]);
            self.calls.fetch_add(1, Ordering::Relaxed);
            if answer.status != 200 || !answer.body.is_u64() {
                self.failures
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(format!("{path}: {answer:?}"));
            }
        }
    }
}

fn version(number: u64) -> String {
    format!(
        "from tooldock import tool\n\n@tool\nasync def version() -> int:\n    \"\"\"Which version this is.\"\"\"\n    return {number}\n"
    )
}

#[allow(
    clippy::disallowed_methods,
    reason = "this is how the test entry asks for a longer run"
)]
fn seconds() -> u64 {
    env::var("TOOLDOCK_LOAD_SECONDS").map_or(10, |text| text.parse().expect("a number of seconds"))
}

/// Whether this is the long run, in which the figures have to hold.
fn is_long() -> bool {
    seconds() >= 60
}

/// One reload each two seconds while calls go on, to a namespace that changes and to one that does not.
#[test]
fn r19_reloads_under_load_lose_no_call_and_leave_unchanged_workers_alone() {
    let tools = Tools::new();
    tools.write("steady", "tool.py", &version(0));
    tools.write("changing", "tool.py", &version(0));
    let gateway = Gateway::start(tools.path());
    let (steady, first) = (gateway.worker("steady"), gateway.worker("changing"));
    let (seen, begin) = (Seen::default(), Instant::now());
    let reloads = seconds() / 2;
    thread::scope(|scope| {
        for caller in 0..CALLERS {
            let (seen, http) = (&seen, gateway.http());
            let path = if caller % 2 == 0 {
                "/steady/tools/version"
            } else {
                "/changing/tools/version"
            };
            scope.spawn(move || seen.keep_calling(&http, path));
        }
        for number in 1..=reloads {
            tools.write("changing", "tool.py", &version(number));
            let report = gateway.reload();
            assert_eq!(report["ok"], true, "{report}");
            let answer = gateway.http().post("/changing/tools/version", &json!({}), &[]);
            assert_eq!(
                answer.body,
                json!(number),
                "after the reload the new version answers"
            );
            thread::park_timeout((Duration::from_secs(2) * number as u32).saturating_sub(begin.elapsed()));
        }
        seen.stop.store(true, Ordering::Relaxed);
    });
    let failures = seen.failures.into_inner().unwrap();
    let calls = seen.calls.into_inner();
    assert!(
        failures.is_empty(),
        "{} of {calls} calls failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
    let due = u64::from(RATE) * begin.elapsed().as_secs();
    assert!(
        calls >= due * 9 / 10,
        "only {calls} calls were made, {due} were due"
    );
    assert_eq!(gateway.worker("steady"), steady, "its files have not changed");
    assert_ne!(gateway.worker("changing"), first, "its files have changed");
}
