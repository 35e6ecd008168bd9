//! Limits that an operator sets for single namespaces.

use std::{collections::HashMap, sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::Instant};
use tooldock::layers::{ConcurrencyLayer, LayerSettings, NamespaceLimits, Overrides, TimeoutLayer, defaults};
use tooldock_engine::{
    EngineError, EngineExt as _, EngineLayer, ErrorKind, RawJson, StaticEngine, ToolEngine, ToolOutput,
    testing::EngineMock,
};

use crate::engine::{cx, layered, mock, raw, tool};

const SECOND: Duration = Duration::from_secs(1);

fn overriding(limits: NamespaceLimits) -> Arc<Overrides> {
    let overrides = Overrides::default();
    overrides.set([("demo".parse().unwrap(), limits)].into());
    Arc::new(overrides)
}

fn timeout(seconds: u32) -> NamespaceLimits {
    let mut limits = NamespaceLimits::default();
    limits.timeout = Some(SECOND * seconds);
    limits
}

fn concurrency(running: usize) -> NamespaceLimits {
    let mut limits = NamespaceLimits::default();
    limits.concurrency = Some(running);
    limits
}

/// An engine with the tools `plain` and `own`, the second with a limit of four seconds, which sleep for as many seconds as asked.
fn sleepy() -> StaticEngine {
    let handler = async |_cx, arguments: RawJson| {
        let asked: HashMap<String, u32> = arguments.parse().unwrap();
        tokio::time::sleep(SECOND * asked["seconds"]).await;
        Ok(ToolOutput::text("rested"))
    };
    let mut own = tool("own");
    own.timeout = Some(SECOND * 4);
    let builder = StaticEngine::builder().tool(tool("plain"), handler);
    builder.tool(own, handler).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn f23_each_limit_of_time_is_named_when_it_fires() {
    let layer = TimeoutLayer::new(SECOND * 2).with_overrides(overriding(timeout(5)));
    for (namespace, name, sleeps, fires) in [
        ("demo", "plain", 3, None),
        (
            "demo",
            "plain",
            6,
            Some((5, "`timeout_seconds` of `namespaces.demo` in config.yaml")),
        ),
        ("demo", "own", 6, Some((4, "its own `timeout`"))),
        ("other", "plain", 1, None),
        ("other", "plain", 3, Some((2, "`TOOL_CALL_TIMEOUT_SECONDS`"))),
        ("other", "own", 3, None),
        ("other", "own", 6, Some((4, "its own `timeout`"))),
    ] {
        let engine = layer.layer(&namespace.parse().unwrap(), Arc::new(sleepy()));
        let begin = Instant::now();
        let reply = engine
            .call_tool(cx(), name, raw(&format!(r#"{{"seconds":{sleeps}}}"#)))
            .await;
        let Some((seconds, setting)) = fires else {
            assert!(reply.is_ok(), "{namespace} {name} {sleeps}");
            continue;
        };
        let error = reply.unwrap_err();
        assert_eq!(
            (error.kind(), begin.elapsed()),
            (ErrorKind::Timeout, SECOND * seconds),
            "{error}"
        );
        let named = [format!("`{name}`"), format!("{seconds} s"), setting.to_owned()];
        assert!(named.iter().all(|part| error.message().contains(part)), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_counts_for_engines_that_are_mounted_after_it() {
    let overrides = overriding(timeout(5));
    let mut settings = LayerSettings::default();
    settings.overrides = overrides.clone();
    let stack = defaults(&settings);
    let old = layered(&stack, sleepy());
    overrides.set([("demo".parse().unwrap(), timeout(7))].into());
    let new = layered(&stack, sleepy());
    overrides.set([].into());
    let none = layered(&stack, sleepy());
    for (engine, seconds) in [(old, 5), (new, 7), (none, 30)] {
        let begin = Instant::now();
        engine
            .call_tool(cx(), "plain", raw(r#"{"seconds":60}"#))
            .await
            .unwrap_err();
        assert_eq!(begin.elapsed(), SECOND * seconds);
    }
}

/// Starts a call and says whether it runs, in which case it goes on running.
async fn runs(
    calls: &mut JoinSet<Result<ToolOutput, EngineError>>,
    layer: &ConcurrencyLayer,
) -> Result<(), String> {
    let inner: Arc<EngineMock> = mock();
    let engine: Arc<dyn ToolEngine> = layered(layer, inner.clone());
    calls.spawn(async move { engine.call_tool(cx(), "a", RawJson::empty_object()).await });
    tokio::select! {
        running = inner.next() => {
            calls.spawn(async move {
                let _running = running;
                std::future::pending().await
            });
            Ok(())
        }
        Some(ended) = calls.join_next() => Err(ended.unwrap().unwrap_err().message().to_owned()),
    }
}

#[tokio::test(start_paused = true)]
async fn f23_a_limit_of_calls_is_a_namespaces_own_and_outlives_engines_until_it_changes() {
    let overrides = overriding(concurrency(2));
    let layer = ConcurrencyLayer::new(1)
        .with_queue(0, SECOND)
        .with_overrides(overrides.clone());
    let mut calls = JoinSet::new();
    // Each call comes to another engine of the namespace.
    assert_eq!(runs(&mut calls, &layer).await, Ok(()));
    assert_eq!(runs(&mut calls, &layer).await, Ok(()));
    let refused = runs(&mut calls, &layer).await.unwrap_err();
    assert!(
        refused.contains("`max_concurrency` of `namespaces.demo` in config.yaml allows (2)"),
        "{refused}"
    );

    overrides.set([("demo".parse().unwrap(), concurrency(1))].into());
    assert_eq!(runs(&mut calls, &layer).await, Ok(()), "a new limit counts anew");
    assert!(runs(&mut calls, &layer).await.unwrap_err().contains("allows (1)"));

    overrides.set([].into());
    let refused = runs(&mut calls, &layer).await.unwrap_err();
    assert!(
        refused.contains("`NAMESPACE_MAX_CONCURRENCY` allows (1)"),
        "as many as before: {refused}"
    );

    overrides.set([("demo".parse().unwrap(), concurrency(0))].into());
    assert!(
        runs(&mut calls, &layer).await.unwrap_err().contains("allows (1)"),
        "none at all is never meant"
    );
}
