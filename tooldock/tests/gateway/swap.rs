//! Engines that are exchanged while calls run.

use std::{sync::Arc, time::Duration};

use tooldock::{
    CallContext, Caller, Catalog, EngineExt as _, ErrorKind, RawJson, StaticEngine, Tool, ToolOutput,
    engine::{Change, LayerStack, Mounts as _, NamespaceName, testing::EngineMock},
    registry::{Origin, Registry, Started},
};

fn name() -> NamespaceName {
    "demo".parse().unwrap()
}

fn saying(text: &'static str) -> Started {
    let say = async move |_cx, _arguments| Ok(ToolOutput::text(text));
    Started::plain(Arc::new(
        StaticEngine::builder()
            .tool(Tool::new("say".parse().unwrap()), say)
            .build()
            .unwrap(),
    ))
}

fn registry() -> Registry {
    Registry::new(LayerStack::new(), Duration::from_secs(30))
}

fn cx() -> CallContext {
    CallContext::new(Caller::local(), name())
}

#[tokio::test(start_paused = true)]
async fn a_call_that_holds_the_old_engine_is_answered_by_it() {
    let registry = registry();
    registry.put(&name(), saying("old"), Origin::Code);
    let old = registry.mount(&Caller::local(), "demo").unwrap();
    registry.put(&name(), saying("new"), Origin::Code);
    // Longer than any engine would take to shut down, if it were told to.
    tokio::time::sleep(Duration::from_secs(20)).await;
    let new = registry.mount(&Caller::local(), "demo").unwrap();
    let text = async |engine: &dyn tooldock::ToolEngine| {
        engine.call_tool(cx(), "say", RawJson::empty_object()).await
    };
    assert_eq!(text(&*old.engine).await.unwrap(), ToolOutput::text("old"));
    assert_eq!(text(&*new.engine).await.unwrap(), ToolOutput::text("new"));
}

#[tokio::test(start_paused = true)]
async fn the_old_engine_is_shut_down_when_the_last_hold_is_dropped() {
    let registry = registry();
    let old = Arc::new(StaticEngine::builder().build().unwrap());
    registry.put(&name(), Started::plain(old.clone()), Origin::Code);
    let mount = registry.mount(&Caller::local(), "demo").unwrap();
    registry.put(&name(), saying("new"), Origin::Code);
    let closed = async || {
        old.call_tool(cx(), "x", RawJson::empty_object())
            .await
            .unwrap_err()
            .kind()
            == ErrorKind::Unavailable
    };
    assert!(!closed().await);
    drop(mount);
    tokio::time::timeout(Duration::from_secs(1), async {
        while !closed().await {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the old engine is shut down");
}

#[tokio::test]
async fn changes_go_on_over_an_exchange() {
    let registry = registry();
    let catalog = |name: &str| {
        Catalog::builder()
            .tool(Tool::new(name.parse().unwrap()))
            .build()
            .unwrap()
    };
    let (first, second) = (
        Arc::new(EngineMock::new(catalog("a"))),
        Arc::new(EngineMock::new(catalog("b"))),
    );
    registry.put(&name(), Started::plain(first.clone()), Origin::Code);
    let mut changes = registry.changes(&cx(), &name(), &[]);
    let next = async |changes: &mut tooldock::engine::Changes| {
        tokio::time::timeout(Duration::from_secs(5), changes.next())
            .await
            .expect("a change comes")
    };
    let (change, ()) = tokio::join!(next(&mut changes), async {
        tokio::task::yield_now().await;
        first.change(catalog("c"));
    });
    assert_eq!(change, Some(Change::Tools));
    registry.put(&name(), Started::plain(second.clone()), Origin::Code);
    assert_eq!(next(&mut changes).await, Some(Change::Lagged));
    second.change(catalog("d"));
    assert_eq!(next(&mut changes).await, Some(Change::Tools));
    registry.remove(&name());
    assert_eq!(next(&mut changes).await, Some(Change::Lagged));
    registry.put(&name(), Started::plain(first.clone()), Origin::Code);
    assert_eq!(next(&mut changes).await, Some(Change::Lagged));
}

#[tokio::test]
async fn shutdown_ends_every_engine() {
    let registry = registry();
    let started = saying("hi");
    registry.put(&name(), started.clone(), Origin::Code);
    registry.shutdown(Duration::from_secs(1)).await;
    assert!(registry.mount(&Caller::local(), "demo").is_err());
    let error = started
        .engine
        .call_tool(cx(), "say", RawJson::empty_object())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
}

#[tokio::test]
async fn a_closed_registry_says_so() {
    let registry = registry();
    registry.put(&name(), saying("hi"), Origin::Code);
    registry.close();
    let error = registry.mount(&Caller::local(), "demo").unwrap_err();
    assert!(
        error.kind() == ErrorKind::Unavailable && error.message().contains("shutting down"),
        "{error}"
    );
}

/// Mounts and exchanges race; no mount ever gives an engine that is already shut down.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r19_no_mount_gives_an_engine_that_is_shut_down() {
    let registry = Arc::new(registry());
    registry.put(&name(), saying("hi"), Origin::Code);
    let exchanging = {
        let registry = registry.clone();
        tokio::spawn(async move {
            for _ in 0..2000 {
                registry.put(&name(), saying("hi"), Origin::Code);
                tokio::task::yield_now().await;
            }
        })
    };
    while !exchanging.is_finished() {
        let mount = registry.mount(&Caller::local(), "demo").unwrap();
        let answer = mount.engine.call_tool(cx(), "say", RawJson::empty_object()).await;
        assert_eq!(answer.unwrap(), ToolOutput::text("hi"));
    }
    exchanging.await.unwrap();
}
