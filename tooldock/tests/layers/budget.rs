//! How much processor time a namespace may use.

use std::{sync::Arc, time::Duration};

use futures_util::FutureExt as _;
use serde::Deserialize;
use tooldock::layers::{BudgetLayer, LayerSettings, NamespaceLimits, Overrides, defaults};
use tooldock_engine::{
    CallContext, EngineError, EngineExt as _, EngineLayer as _, ErrorKind, RawJson, StaticEngine, ToolEngine,
    ToolOutput,
};

use crate::engine::{cx, layered, raw, tool};

const SECOND: Duration = Duration::from_secs(1);

/// For how many seconds the tool runs, how many of them it asks its client, and what it says that it used.
#[derive(Deserialize)]
struct Work {
    takes: u32,
    #[serde(default)]
    asks: u32,
    uses: u32,
}

fn worker() -> StaticEngine {
    let handler = async |cx: CallContext, arguments: RawJson| {
        let work: Work = arguments.parse().unwrap();
        let pause = cx.clock().pause();
        tokio::time::sleep(SECOND * work.asks).await;
        drop(pause);
        tokio::time::sleep(SECOND * work.takes).await;
        cx.facts().add_processor(SECOND * work.uses);
        Ok(ToolOutput::text("done"))
    };
    StaticEngine::builder().tool(tool("t"), handler).build().unwrap()
}

async fn call(engine: &dyn ToolEngine, work: &str) -> Result<ToolOutput, EngineError> {
    engine.call_tool(cx(), "t", raw(work)).await
}

/// In how many seconds `engine` takes calls again, and what it says until then.
async fn wait(engine: &dyn ToolEngine) -> (u64, String) {
    match call(engine, r#"{"takes": 0, "uses": 0}"#).await {
        Ok(_) => (0, String::new()),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::RateLimited, "{error}");
            (error.retry_after().unwrap().as_secs(), error.to_string())
        }
    }
}

fn budget(cpu_seconds: u32) -> (LayerSettings, Arc<Overrides>) {
    let mut settings = LayerSettings::default();
    settings.cpu_seconds = cpu_seconds;
    let overrides = Arc::new(Overrides::default());
    settings.overrides = overrides.clone();
    (settings, overrides)
}

#[tokio::test(start_paused = true)]
async fn a_namespace_that_has_used_its_processor_time_is_refused_until_it_comes_back() {
    let engine = layered(&defaults(&budget(10).0), worker());
    call(&*engine, r#"{"takes": 6, "uses": 6}"#).await.unwrap();
    assert_eq!(wait(&*engine).await.0, 0, "4 of 10 s are left");
    call(&*engine, r#"{"takes": 6, "uses": 6}"#).await.unwrap();
    // 12 s were used of 10, of which a second comes back in 6: those are 72 s of a minute, less the 6 since the first charge.
    let (seconds, told) = wait(&*engine).await;
    assert_eq!(seconds, 7, "{told}");
    for part in ["`demo`", "10 s", "`NAMESPACE_CPU_SECONDS_PER_MINUTE`", "in 7 s"] {
        assert!(told.contains(part), "{part} is missing in: {told}");
    }
    tokio::time::advance(SECOND * 7).await;
    assert_eq!(wait(&*engine).await.0, 0, "it says when");
}

/// What a worker says is believed up to the time that the call took without the client's; where it cannot say, that time counts.
#[tokio::test(start_paused = true)]
async fn a_call_is_charged_what_it_used_and_never_more_than_its_time() {
    for (work, expected) in [
        (r#"{"takes": 20, "uses": 0}"#, 0),
        (r#"{"takes": 20, "uses": 9}"#, 0),
        (r#"{"takes": 20, "uses": 4000}"#, 61),
        (r#"{"takes": 20, "asks": 300, "uses": 4000}"#, 61),
        (r#"{"takes": 20, "asks": 300, "uses": 9}"#, 0),
        (r#"{"takes": 90, "uses": 0}"#, 121), // out of time after 30 s
    ] {
        let engine = layered(&defaults(&budget(10).0), worker());
        call(&*engine, work).await.ok();
        assert_eq!(wait(&*engine).await.0, expected, "{work}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_nobody_waits_for_is_charged_its_time() {
    let engine = layered(&defaults(&budget(10).0), worker());
    let mut left = Box::pin(call(&*engine, r#"{"takes": 25, "uses": 0}"#));
    assert!((&mut left).now_or_never().is_none());
    tokio::time::advance(SECOND * 20).await;
    assert_eq!(wait(&*engine).await.0, 0, "what runs is not charged yet");
    drop(left);
    assert_eq!(wait(&*engine).await.0, 61);
}

#[tokio::test(start_paused = true)]
async fn each_namespace_has_a_budget_that_outlives_its_engine_and_one_may_have_another() {
    let (settings, overrides) = budget(10);
    let mut own = NamespaceLimits::default();
    own.cpu_seconds = Some(5);
    let mut none = NamespaceLimits::default();
    none.cpu_seconds = Some(0);
    overrides.set([("own".parse().unwrap(), own), ("none".parse().unwrap(), none)].into());
    let stack = defaults(&settings);
    let mount = |name: &str| stack.layer(&name.parse().unwrap(), Arc::new(worker()));
    for name in ["demo", "own", "none"] {
        let cx = || CallContext::new(tooldock_engine::Caller::local(), name.parse().unwrap());
        let use_up = |seconds: u32| raw(&format!(r#"{{"takes": {seconds}, "uses": {seconds}}}"#));
        mount(name).call_tool(cx(), "t", use_up(11)).await.unwrap();
        let next = mount(name).call_tool(cx(), "t", use_up(0)).await;
        let setting = match name {
            "demo" => "`NAMESPACE_CPU_SECONDS_PER_MINUTE`",
            "own" => "`cpu_seconds_per_minute` of `namespaces.own` in config.yaml",
            _ => {
                next.unwrap();
                continue;
            }
        };
        let refused = next.unwrap_err();
        assert!(refused.message().contains(setting), "{refused}");
    }
}

#[tokio::test(start_paused = true)]
async fn where_there_is_no_budget_nothing_is_counted() {
    let inner: Arc<dyn ToolEngine> = Arc::new(worker());
    let same = BudgetLayer::new(0).layer(&"demo".parse().unwrap(), inner.clone());
    assert!(Arc::ptr_eq(&inner, &same));
}
