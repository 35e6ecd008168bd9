//! Workers that live and do nothing any more.

use std::time::Duration;

use rustix::process::{Signal, kill_process};
use serde_json::json;
use tokio::time::timeout;
use tooldock_engine::ErrorKind;
use tooldock_worker::{NamespaceOptions, WorkerHost};

use crate::{
    process::{LONG, lives, process, serving_again, soon},
    shop::{Tools, call, data, serve_by, settings, text, until},
};

const STUCK: &str = "
import asyncio, time
from tooldock import tool

@tool
async def wait() -> str:
    open('waiting', 'w').close()
    await asyncio.sleep(600)

@tool
async def work(seconds: float) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return 'worked'

@tool(timeout=0.2)
async def spin_for_ever() -> str:
    open('spinning', 'w').close()
    while True:
        pass

@tool
async def block() -> str:
    time.sleep(600)
";

/// A host that asks often.
fn impatient() -> WorkerHost {
    let mut settings = settings(data());
    settings.limits.ping_interval = Duration::from_millis(200);
    settings.limits.overdue = Duration::from_millis(300);
    WorkerHost::new(settings)
}

async fn exists(tools: &Tools, file: &str) {
    soon(until(|| tools.path(file).exists())).await;
}

/// R3: a stopped worker is replaced, its calls get a clean error, and it does not come back.
#[tokio::test]
async fn r3_a_stopped_worker_is_replaced() {
    let (tools, engine) = serve_by(&impatient(), STUCK, &NamespaceOptions::default()).await;
    let old = engine.pid();
    let stop = async {
        exists(&tools, "demo/waiting").await;
        kill_process(process(old.unwrap()), Signal::STOP).unwrap();
    };
    let (output, ()) = soon(async { tokio::join!(call(&engine, "wait", json!({})), stop) }).await;
    let error = output.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    assert!(error.message().contains("did not answer 3 times"), "{error}");
    serving_again(&engine, old).await;
    assert!(!lives(process(old.unwrap())), "the old process is dead");
    let output = call(&engine, "work", json!({"seconds": 0})).await.unwrap();
    assert_eq!(text(&output), "worked");
}

/// R3: a worker whose loop is blocked is replaced as well, and the log says where it was stuck; its callers are not told.
#[tokio::test]
async fn r3_s87_a_blocked_worker_says_where_and_is_replaced() {
    let (_tools, engine) = serve_by(&impatient(), STUCK, &NamespaceOptions::default()).await;
    let error = soon(call(&engine, "block", json!({}))).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    assert!(
        error.message().contains("did not answer 3 times") && !error.message().contains("tools.py"),
        "{error}"
    );
    let dumped =
        |line: &tooldock_worker::LogLine| line.text.contains("tools.py") && line.text.ends_with("in block");
    soon(until(|| engine.log_tail(1000).iter().any(dumped))).await;
}

/// R3: a worker that works hard is not stuck, however long it does not answer.
#[tokio::test]
async fn r3_a_busy_worker_is_left_alone() {
    let (_tools, engine) = serve_by(&impatient(), STUCK, &NamespaceOptions::default()).await;
    let old = engine.pid();
    let output = soon(call(&engine, "work", json!({"seconds": 3}))).await.unwrap();
    assert_eq!((text(&output).as_str(), engine.pid()), ("worked", old));
}

/// R3: a worker that cannot be told that the time of a call is up is replaced, however busy it is.
#[tokio::test]
async fn r3_s87_a_worker_that_runs_past_a_deadline_is_replaced() {
    let (tools, engine) = serve_by(&impatient(), STUCK, &NamespaceOptions::default()).await;
    let old = engine.pid();
    let neighbour = call(&engine, "wait", json!({}));
    let spin = async {
        exists(&tools, "demo/waiting").await;
        let spinning = async {
            tokio::select! {
                _ = call(&engine, "spin_for_ever", json!({})) => unreachable!("it spins"),
                () = exists(&tools, "demo/spinning") => {}
            }
        };
        spinning.await;
    };
    let (neighbour, ()) = timeout(LONG, async { tokio::join!(neighbour, spin) })
        .await
        .expect("the worker is replaced");
    let error = neighbour.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    assert!(error.message().contains("after its time was up"), "{error}");
    serving_again(&engine, old).await;
    assert!(!lives(process(old.unwrap())));
    let dumped = |line: &tooldock_worker::LogLine| line.text.ends_with("in spin_for_ever");
    soon(until(|| engine.log_tail(1000).iter().any(dumped))).await;
}

/// Threads that cancelled calls keep do not block a namespace: a new process serves, the old one ends its calls first.
#[tokio::test]
async fn a_worker_whose_threads_are_lost_is_replaced_and_ends_its_calls() {
    const SLEEPY: &str = "
import asyncio, time
from tooldock import tool

@tool
def sleep(file: str) -> str:
    open(file, 'w').close()
    time.sleep(600)

@tool
async def wait() -> str:
    open('waits', 'w').close()
    while not __import__('os').path.exists('go'):
        await asyncio.sleep(0.01)
    return 'ended'

@tool
def quick() -> str:
    return 'quick'
";
    let mut settings = settings(data());
    settings.limits.threads = 2;
    let host = WorkerHost::new(settings);
    let (tools, engine) = serve_by(&host, SLEEPY, &NamespaceOptions::default()).await;
    let old = engine.pid().unwrap();
    let attack = async {
        exists(&tools, "demo/waits").await;
        for file in ["one", "two"] {
            let path = format!("demo/{file}");
            tokio::select! {
                output = call(&engine, "sleep", json!({"file": file})) => drop(output.unwrap_err()),
                () = exists(&tools, &path) => {}
            }
        }
        soon(until(|| engine.pid().is_some_and(|pid| pid != old))).await;
        assert_eq!(
            text(&soon(call(&engine, "quick", json!({}))).await.unwrap()),
            "quick"
        );
        assert!(lives(process(old)), "a call still runs there");
        tools.write("demo/go", "");
    };
    let (output, ()) = soon(async { tokio::join!(call(&engine, "wait", json!({})), attack) }).await;
    assert_eq!(text(&output.unwrap()), "ended");
    soon(until(|| !lives(process(old)))).await;
}
