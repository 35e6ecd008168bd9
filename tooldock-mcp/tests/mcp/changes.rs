//! `notifications/tools/list_changed` on the GET streams of sessions.

use std::{sync::Arc, time::Duration};

use http::Method;
use serde_json::{Value, json};
use tooldock_engine::{
    CallContext, Caller, Catalog, Changes, EngineError, ErrorKind, Mount, Mounts, NamespaceName,
    catalog::About, testing::EngineMock,
};
use tooldock_mcp::Settings;

use crate::scene::{HANDSHAKE, MODERN, Scene, catalog, mock, raw, request, soon, tool};

fn scene() -> (Arc<EngineMock>, Scene) {
    let engine = mock(&["a"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    (engine, scene)
}

fn changed() -> Option<Value> {
    Some(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}}))
}

#[tokio::test(start_paused = true)]
async fn f03_f04_a_silent_stream_is_seen_open_at_once_and_kept_open() {
    let (_, scene) = scene();
    // The later one begins with an event of its own, the earlier one with a comment.
    for (revision, first) in [(HANDSHAKE, "id: "), ("2025-06-18", ": ")] {
        let id = scene.initialize_in(revision).await;
        let mut stream = scene.watch(&id).await;
        let header = |name: &str| stream.headers[name].to_str().unwrap();
        assert_eq!(header("x-accel-buffering"), "no");
        assert_eq!(header("cache-control"), "no-cache");
        let begin = tokio::time::Instant::now();
        assert!(stream.frame().await.unwrap().starts_with(first), "{revision}");
        assert!(begin.elapsed() < Duration::from_secs(1), "{revision}");
        for _ in 0..3 {
            let before = tokio::time::Instant::now();
            assert!(stream.frame().await.unwrap().starts_with(": "));
            assert_eq!(before.elapsed(), scene.server.settings().keep_alive);
        }
    }
    assert!(scene.server.settings().keep_alive <= Duration::from_secs(25));
}

#[tokio::test]
async fn f51_a_change_is_told_once_on_the_newest_stream_of_each_session() {
    let (engine, scene) = scene();
    let (id, other) = (scene.initialize().await, scene.initialize().await);
    let mut old = scene.watch(&id).await;
    let mut new = scene.watch(&id).await;
    let mut others = scene.watch(&other).await;
    for stream in [&mut old, &mut new, &mut others] {
        assert!(stream.is_silent(), "nothing has changed");
    }
    engine.change(catalog(&["a", "b"]));
    assert!(old.is_silent(), "whichever stream notices it");
    assert_eq!(
        (new.message().await, others.message().await),
        (changed(), changed())
    );
    assert!(old.is_silent() && new.is_silent() && others.is_silent(), "once");
    let list = scene.session(&id, "tools/list", json!({})).await.json();
    assert_eq!(list["result"]["tools"].as_array().unwrap().len(), 2);
    drop(new);
    engine.change(catalog(&["a"]));
    assert_eq!(old.message().await, changed(), "the next newest takes over");
}

#[tokio::test]
async fn f51_what_clients_cannot_see_is_no_change() {
    let (engine, scene) = scene();
    let id = scene.initialize_in("2025-03-26").await;
    let mut stream = scene.watch(&id).await;
    engine.change(catalog(&["a"]));
    assert!(stream.is_silent(), "a hint without a change");
    let mut titled = tool("a");
    titled.title = Some("A".to_owned());
    engine.change(Catalog::builder().tool(titled).build().unwrap());
    assert!(stream.is_silent(), "this revision has no titles");
    let about = About {
        author: Some("somebody".to_owned()),
        ..About::default()
    };
    engine.change(Catalog::builder().about(about).tool(tool("a")).build().unwrap());
    assert!(stream.is_silent(), "the tools are the same");
    let mut other = tool("a");
    other.input_schema = raw(r#"{"type": "object", "properties": {}}"#);
    engine.change(Catalog::builder().tool(other).build().unwrap());
    assert_eq!(stream.message().await, changed());
}

#[tokio::test]
async fn f51_a_change_without_a_stream_is_told_on_the_next() {
    let (engine, scene) = scene();
    let id = scene.initialize().await;
    engine.change(catalog(&["b"]));
    let mut stream = scene.watch(&id).await;
    assert_eq!(stream.message().await, changed());
    drop(stream);
    engine.change(catalog(&["c"]));
    engine.change(catalog(&["d"]));
    let mut stream = scene.watch(&id).await;
    assert_eq!(stream.message().await, changed());
    assert!(stream.is_silent(), "changes nobody could see are one");
}

#[tokio::test]
async fn streams_end_with_their_session_and_with_the_server() {
    let (_, scene) = scene();
    let (id, other) = (scene.initialize().await, scene.initialize().await);
    let (mut first, mut second, mut others) = (
        scene.watch(&id).await,
        scene.watch(&id).await,
        scene.watch(&other).await,
    );
    scene.ask().session(&id).send(Method::DELETE, "").await;
    assert_eq!((first.message().await, second.message().await), (None, None));
    assert!(others.is_silent(), "another session's");
    scene.server.close();
    assert_eq!(others.message().await, None);
    let late = scene.ask().session(&other).send(Method::GET, "").await;
    assert_eq!((late.status, late.header("retry-after")), (503, Some("1")));
}

#[tokio::test]
async fn s32_streams_belong_to_the_owner_of_the_session() {
    let (_, scene) = scene();
    let id = scene.initialize().await;
    let unknown = "0123456789abcdef0123456789abcdef";
    let table = [
        (scene.ask().session(unknown), 404),
        (scene.ask_as("bob", "demo").session(&id), 404),
        (scene.ask(), 400),
        (scene.ask().session(&id).without("accept"), 200),
        (
            scene
                .ask()
                .session(&id)
                .without("accept")
                .with("accept", "application/json"),
            406,
        ),
        (scene.ask().session(&id).with("last-event-id", "s3-1"), 200),
        (
            scene
                .ask()
                .with("mcp-session-id", &id)
                .with("mcp-protocol-version", "2025-03-26"),
            200,
        ),
        (
            scene
                .ask()
                .with("mcp-session-id", &id)
                .with("mcp-protocol-version", MODERN),
            405,
        ),
    ];
    for (row, (ask, status)) in table.into_iter().enumerate() {
        assert_eq!(ask.open(Method::GET, "").await.status(), status, "row {row}");
    }
}

/// Namespaces `one` and `two`; the second is not for `bob`.
#[derive(Debug)]
struct Tenants([Arc<EngineMock>; 2]);

impl Tenants {
    fn engine(&self, namespace: &str) -> &Arc<EngineMock> {
        &self.0[usize::from(namespace == "two")]
    }
}

impl Mounts for Tenants {
    fn mount(&self, caller: &Caller, namespace: &str) -> Result<Mount, EngineError> {
        if (caller.principal.name(), namespace) == ("bob", "two") {
            return Err(EngineError::new(ErrorKind::Forbidden, "not yours"));
        }
        Ok(Mount {
            namespace: namespace.parse()?,
            engine: self.engine(namespace).clone(),
        })
    }

    fn changes(&self, cx: &CallContext, namespace: &NamespaceName, watch: &[Arc<str>]) -> Changes {
        tooldock_engine::ToolEngine::changes(&**self.engine(namespace.as_str()), cx, watch)
    }
}

#[tokio::test]
async fn s43_notices_reach_those_who_see_the_namespace_and_nobody_else() {
    let engines = [mock(&["a"]), mock(&["a"])];
    let scene = Scene::over(Arc::new(Tenants(engines.clone())));
    let mut streams = Vec::new();
    for (principal, namespace) in [("ann", "one"), ("ann", "two"), ("bob", "one")] {
        let ask = || scene.ask_as(principal, namespace);
        let opened = ask()
            .post(request(0, "initialize", crate::scene::offer(HANDSHAKE)))
            .await;
        let id = opened.header("mcp-session-id").unwrap();
        streams.push(ask().session(id).events().await);
    }
    engines[1].change(catalog(&["b"]));
    assert_eq!(streams[1].message().await, changed());
    assert!(streams[0].is_silent() && streams[2].is_silent());
}

#[tokio::test]
async fn s43_a_subscriber_who_may_no_longer_see_the_namespace_hears_nothing() {
    /// Open until it is shut for ann.
    #[derive(Debug)]
    struct Door(Arc<EngineMock>, std::sync::atomic::AtomicBool);
    impl Mounts for Door {
        fn mount(&self, caller: &Caller, namespace: &str) -> Result<Mount, EngineError> {
            let shut = self.1.load(std::sync::atomic::Ordering::Relaxed);
            if shut && caller.principal.name() == "ann" {
                return Err(EngineError::new(ErrorKind::Forbidden, "not any more"));
            }
            let namespace = namespace.parse()?;
            Ok(Mount {
                namespace,
                engine: self.0.clone(),
            })
        }
        fn changes(&self, cx: &CallContext, _: &NamespaceName, watch: &[Arc<str>]) -> Changes {
            tooldock_engine::ToolEngine::changes(&*self.0, cx, watch)
        }
    }
    let engine = mock(&["a"]);
    let door = Arc::new(Door(engine.clone(), false.into()));
    let scene = Scene::over(door.clone());
    let id = scene.initialize().await;
    let mut stream = scene.watch(&id).await;
    door.1.store(true, std::sync::atomic::Ordering::Relaxed);
    engine.change(catalog(&["b"]));
    assert!(stream.is_silent());
    door.1.store(false, std::sync::atomic::Ordering::Relaxed);
    engine.change(catalog(&["b"]));
    assert_eq!(stream.message().await, changed());
}

#[tokio::test]
async fn s36_streams_of_one_principal_are_counted_and_given_back() {
    let mut settings = Settings::default();
    settings.streams_per_principal = 2;
    let scene = Scene::of(mock(&[]), settings);
    let id = scene.initialize().await;
    let first = scene.watch(&id).await;
    let _second = scene.listen(1, json!({})).await;
    let refused = soon(scene.ask().session(&id).send(Method::GET, "")).await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    assert!(refused.text.contains("MCP_STREAMS_PER_PRINCIPAL"), "{refused:?}");
    let bob = scene
        .ask_as("bob", "demo")
        .post(request(0, "initialize", crate::scene::offer(HANDSHAKE)))
        .await;
    let bobs = bob.header("mcp-session-id").unwrap();
    scene.ask_as("bob", "demo").session(bobs).events().await;
    drop(first);
    scene.watch(&id).await;
}

#[tokio::test]
async fn s36_streams_of_all_principals_are_counted_and_given_back() {
    let mut settings = Settings::default();
    settings.streams = 2;
    let scene = Scene::of(mock(&[]), settings);
    let id = scene.initialize().await;
    let first = scene.watch(&id).await;
    let _second = scene.listen(1, json!({})).await;
    let legacy = || scene.ask_as("bob", "demo").at("/sse");
    let refused = soon(legacy().send(Method::GET, "")).await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    assert!(refused.text.contains("(MCP_STREAMS)"), "{refused:?}");
    assert_eq!(scene.server.streams(), 2);
    drop(first);
    legacy().events().await;
}

#[tokio::test(start_paused = true)]
async fn a_session_with_an_open_stream_is_in_use() {
    let (_, scene) = scene();
    let id = scene.initialize().await;
    let stream = scene.watch(&id).await;
    scene.session(&id, "ping", json!({})).await;
    let idle = scene.server.settings().sessions.idle;
    tokio::time::advance(idle * 2).await;
    assert_eq!(scene.session(&id, "ping", json!({})).await.status, 200);
    drop(stream);
    tokio::time::advance(idle).await;
    assert_eq!(scene.session(&id, "ping", json!({})).await.status, 404);
}
