//! Several workers for one namespace.

use std::{collections::BTreeMap, time::Duration};

use futures_util::future::join_all;
use rustix::process::{Signal, kill_process};
use serde_json::json;
use tooldock_engine::{
    Change, ErrorKind, RawJson, ToolEngine as _,
    testing::{Sample, engine_contract},
};
use tooldock_worker::{NamespaceOptions, WorkerState};

use crate::{
    process::{lives, process, soon},
    shop::{Quiet, Tools, call, cx, host, serve_many, text, until},
};

const CREW: &str = "
import asyncio, os
from tooldock import tool

@tool
async def hold(seconds: float) -> int:
    await asyncio.sleep(seconds)
    return os.getpid()
";

#[tokio::test]
async fn each_call_goes_to_the_worker_with_the_fewest() {
    let (_tools, engine) = serve_many(CREW, 3).await;
    let calls = (0..6).map(|_| call(&engine, "hold", json!({"seconds": 0.5})));
    let mut loads = BTreeMap::<String, usize>::new();
    for output in soon(join_all(calls)).await {
        *loads.entry(text(&output.unwrap())).or_default() += 1;
    }
    assert_eq!(
        loads.values().copied().collect::<Vec<_>>(),
        [2, 2, 2],
        "{loads:?}"
    );
    let mut pids: Vec<String> = engine.pids().iter().map(u32::to_string).collect();
    pids.sort();
    assert_eq!(loads.into_keys().collect::<Vec<_>>(), pids);
    let report = engine.report();
    assert_eq!((report.state, report.processes.len()), (WorkerState::Serving, 3));
}

/// R1: of several workers one that dies costs its own calls only; the namespace is never away.
#[tokio::test]
async fn r1_a_namespace_serves_while_one_of_its_workers_does() {
    let (_tools, engine) = serve_many(CREW, 3).await;
    let old = engine.pids();
    for pid in &old[..2] {
        kill_process(process(*pid), Signal::KILL).unwrap();
    }
    soon(until(|| engine.pids() == old[2..])).await;
    let report = engine.report();
    assert_eq!(report.state, WorkerState::Serving);
    let waiting = |state: &WorkerState| matches!(state, WorkerState::Restarting { .. });
    let down = report.processes.iter().filter(|process| waiting(&process.state));
    assert_eq!(down.count(), 2, "{:?}", report.processes);
    let output = call(&engine, "hold", json!({"seconds": 0})).await.unwrap();
    assert_eq!(text(&output), old[2].to_string());
    soon(until(|| engine.pids().len() == 3)).await;
    let calls = soon(join_all(
        (0..3).map(|_| call(&engine, "hold", json!({"seconds": 0.3}))),
    ));
    assert!(calls.await.iter().all(Result::is_ok));
}

#[tokio::test]
async fn a_tool_that_only_the_newest_worker_has_is_called_there() {
    let (tools, engine) = serve_many(CREW, 3).await;
    let mut changes = engine.changes(&cx(), &[]);
    let old = engine.pids();
    tools.write(
        "demo/more.py",
        "from tooldock import tool\n@tool\ndef more() -> str:\n    return 'x'\n",
    );
    kill_process(process(old[1]), Signal::KILL).unwrap();
    assert_eq!(soon(changes.next()).await, Some(Change::Tools));
    assert!(engine.catalog(&cx()).unwrap().tool("more").is_some());
    for output in soon(join_all((0..6).map(|_| call(&engine, "more", json!({}))))).await {
        assert_eq!(text(&output.unwrap()), "x");
    }
}

#[tokio::test]
async fn all_workers_go_with_their_engine() {
    let (_tools, engine) = serve_many(CREW, 2).await;
    let pids = engine.pids();
    soon(engine.shutdown(Duration::from_secs(1))).await;
    assert!(!pids.iter().any(|pid| lives(process(*pid))), "after a shutdown");
    assert_eq!(engine.report().state, WorkerState::Stopped);
    let (_tools, engine) = serve_many(CREW, 2).await;
    let pids = engine.pids();
    drop(engine);
    soon(until(|| !pids.iter().any(|pid| lives(process(*pid))))).await;
}

#[tokio::test]
async fn the_engine_contract_holds_for_several_workers() {
    let tools = Tools::with(&[("demo/tools.py", CREW)]);
    let (host, folder) = (host(), tools.only());
    let mut options = NamespaceOptions::default();
    options.workers = 2;
    let make = async || {
        host.start(&folder, &options, Default::default(), &Quiet)
            .await
            .unwrap()
    };
    let sample = Sample {
        tool: "hold".parse().unwrap(),
        arguments: RawJson::from(json!({"seconds": 0})),
    };
    engine_contract(make, sample).await;
}

#[tokio::test]
async fn options_out_of_range_are_refused_by_name() {
    let tools = Tools::with(&[("demo/tools.py", CREW)]);
    let mut options = NamespaceOptions::default();
    for workers in [0, 65] {
        options.workers = workers;
        let error = host()
            .start(&tools.only(), &options, Default::default(), &Quiet)
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Dependency);
        for part in ["`workers`", "`demo`", &format!("`{workers}`"), "1 to 64"] {
            assert!(error.message().contains(part), "{error}");
        }
    }
    options.workers = 1;
    options
        .environment
        .insert("PYTHONPATH".to_owned(), "/x".to_owned());
    let error = host()
        .start(&tools.only(), &options, Default::default(), &Quiet)
        .await
        .unwrap_err();
    assert!(
        error.message().contains("`environment`") && error.message().contains("`PYTHONPATH`"),
        "{error}"
    );
}
