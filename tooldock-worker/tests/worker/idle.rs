//! Processes that come and go without a call noticing: asleep while nobody calls, replaced when they are worn.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tooldock_engine::{EngineRequest, ToolEngine as _};
use tooldock_worker::{NamespaceOptions, WorkerEngine, WorkerHost, WorkerLimits, WorkerState};

use crate::{
    process::{lives, process, soon},
    shop::{call, cx, data, serve_by, settings, text, until},
};

const TOOLS: &str = "
import asyncio, os
from tooldock import tool

held = []

@tool
async def pid(seconds: float = 0) -> int:
    await asyncio.sleep(seconds)
    return os.getpid()

@tool
def grow(mebibytes: int) -> int:
    held.append(bytearray(mebibytes << 20))
    return os.getpid()
";

async fn serve_within(
    limit: impl FnOnce(&mut WorkerLimits),
    workers: usize,
) -> (crate::shop::Tools, WorkerEngine) {
    let mut settings = settings(data());
    limit(&mut settings.limits);
    let mut options = NamespaceOptions::default();
    options.workers = workers;
    let (tools, engine) = serve_by(&WorkerHost::new(settings), TOOLS, &options).await;
    soon(until(|| engine.pids().len() == workers)).await;
    (tools, engine)
}

/// Nobody calls, so there is no process; many calls at once wake it once, and each is answered.
#[tokio::test]
async fn an_idle_namespace_has_no_process_until_it_is_called() {
    let (_tools, engine) = serve_within(|limits| limits.idle = Some(Duration::from_millis(300)), 2).await;
    for _ in 0..2 {
        let pids = engine.pids();
        soon(until(|| engine.pids().is_empty())).await;
        soon(until(|| pids.iter().all(|pid| !lives(process(*pid))))).await;
        let report = engine.report();
        assert_eq!(report.state, WorkerState::Asleep);
        assert!(report.state.reason().unwrap().contains("WORKER_IDLE_SECONDS"));
        assert_eq!(engine.catalog(&cx()).unwrap().tools().len(), 2, "it is listed");
        let begin = Instant::now();
        let calls = (0..20).map(|_| call(&engine, "pid", json!({})));
        for output in soon(join_all(calls)).await {
            output.unwrap();
        }
        println!("woken and answered within {:?}", begin.elapsed());
        assert_eq!(engine.report().state, WorkerState::Serving);
        soon(until(|| engine.pids().len() == 2)).await;
    }
}

/// A call that runs longer than the namespace may be idle keeps it awake.
#[tokio::test]
async fn a_namespace_with_a_call_is_not_idle() {
    let (_tools, engine) = serve_within(|limits| limits.idle = Some(Duration::from_millis(100)), 1).await;
    let pid = engine.pid().unwrap();
    let output = call(&engine, "pid", json!({"seconds": 1})).await.unwrap();
    assert_eq!(text(&output), pid.to_string());
}

#[tokio::test]
async fn an_engine_that_is_asleep_shuts_down_and_wakes_no_more() {
    let (_tools, engine) = serve_within(|limits| limits.idle = Some(Duration::from_millis(100)), 1).await;
    soon(until(|| engine.report().state == WorkerState::Asleep)).await;
    soon(engine.shutdown(Duration::from_secs(1))).await;
    assert_eq!(engine.report().state, WorkerState::Stopped);
    let request = EngineRequest::call_tool("pid".parse().unwrap(), json!({}).into());
    soon(engine.serve(cx(), request)).await.unwrap_err();
    assert!(engine.pids().is_empty());
}

/// A process that has grown or is old is replaced beside its calls: none of them fails.
#[tokio::test]
async fn a_worn_process_is_replaced_without_a_failed_call() {
    let grown = |limits: &mut WorkerLimits| {
        limits.memory = Some(150 << 20);
        limits.ping_interval = Duration::from_millis(50);
    };
    let (_tools, engine) = serve_within(grown, 1).await;
    let old = engine.pid().unwrap();
    let small = engine.report().processes[0].usage.unwrap().resident;
    assert!((5 << 20..100 << 20).contains(&small), "{small}");
    let long = call(&engine, "pid", json!({"seconds": 3}));
    let grow = async {
        call(&engine, "grow", json!({"mebibytes": 200})).await.unwrap();
        soon(until(|| engine.pid().is_some_and(|pid| pid != old))).await;
        engine.pid()
    };
    let (long, new) = soon(async { tokio::join!(long, grow) }).await;
    assert_eq!(text(&long.unwrap()), old.to_string(), "it ends where it began");
    let output = call(&engine, "pid", json!({})).await.unwrap();
    assert_eq!(text(&output), new.unwrap().to_string());
    soon(until(|| !lives(process(old)))).await;

    let (_tools, engine) = serve_within(|limits| limits.lifetime = Some(Duration::from_secs(1)), 1).await;
    let old = engine.pid().unwrap();
    let mut seen = 0;
    while engine.pid() == Some(old) || engine.pid().is_none() {
        call(&engine, "pid", json!({})).await.unwrap();
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}
