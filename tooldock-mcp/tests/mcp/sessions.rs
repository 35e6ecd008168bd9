//! Whose a session is, and when it ends.

use http::Method;
use serde_json::json;
use tooldock_engine::{StaticEngine, ToolOutput};

use crate::scene::{Scene, request, tool};

#[tokio::test]
async fn s31_session_ids_are_not_guessed() {
    let ids: std::collections::HashSet<String> = (0..1000)
        .map(|_| {
            tooldock_mcp::session::SessionId::generate()
                .unwrap()
                .as_str()
                .to_owned()
        })
        .collect();
    assert_eq!(ids.len(), 1000);
    let ones: u32 = ids
        .iter()
        .map(|id| u128::from_str_radix(id, 16).unwrap().count_ones())
        .sum();
    assert!((63_000..65_000).contains(&ones), "{ones} of 128,000 bits are set");
}

#[tokio::test]
async fn s32_session_bound_to_principal() {
    let scene = Scene::new();
    let id = scene.initialize().await;
    let ping = request(1, "ping", json!({}));
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let unknown = scene
        .ask()
        .session("0123456789abcdef0123456789abcdef")
        .post(&ping)
        .await;
    for message in [&ping, &cancelled] {
        let got = scene.ask_as("bob", "demo").session(&id).post(message).await;
        assert_eq!(got.status, 404, "{message}");
        assert_eq!(
            got.json()["error"],
            unknown.json()["error"],
            "it looks like any unknown session"
        );
    }
    assert_eq!(
        scene
            .ask_as("bob", "demo")
            .session(&id)
            .send(Method::DELETE, "")
            .await
            .status,
        404
    );
    assert_eq!(
        scene.ask().session(&id).post(&ping).await.status,
        200,
        "the owner notices nothing"
    );
}

#[tokio::test]
async fn s32_session_bound_to_namespace() {
    use std::sync::Arc;
    use tooldock_engine::{Caller, Changes, EngineError, Mount, Mounts, NamespaceName};

    #[derive(Debug)]
    struct Two(Mount);
    impl Mounts for Two {
        fn mount(&self, _caller: &Caller, namespace: &str) -> Result<Mount, EngineError> {
            let mut mount = self.0.clone();
            mount.namespace = namespace.parse()?;
            Ok(mount)
        }
        fn changes(&self, _: &tooldock_engine::CallContext, _: &NamespaceName, _: &[Arc<str>]) -> Changes {
            Changes::never()
        }
    }
    let mount = Mount {
        namespace: "demo".parse().unwrap(),
        engine: crate::scene::mock(&[]),
    };
    let scene = Scene::over(Arc::new(Two(mount)));
    let id = scene.initialize().await;
    let ping = request(1, "ping", json!({}));
    assert_eq!(
        scene.ask_as("ann", "other").session(&id).post(&ping).await.status,
        404
    );
    assert_eq!(
        scene
            .ask_as("ann", "other")
            .session(&id)
            .send(Method::DELETE, "")
            .await
            .status,
        404
    );
    assert_eq!(
        scene.ask_as("ann", "demo").session(&id).post(&ping).await.status,
        200
    );
}

#[tokio::test]
async fn delete_ends_a_session() {
    let scene = Scene::new();
    let id = scene.initialize().await;
    assert_eq!(scene.ask().send(Method::DELETE, "").await.status, 400);
    assert_eq!(
        scene.ask().session(&id).send(Method::DELETE, "").await.status,
        204
    );
    assert_eq!(scene.server.sessions().count().await, 0);
    assert_eq!(
        scene.ask().session(&id).send(Method::DELETE, "").await.status,
        404
    );
    assert_eq!(scene.session(&id, "ping", json!({})).await.status, 404);
}

#[tokio::test]
async fn layers_in_front_are_told_from_absence() {
    let scene = Scene::new();
    let got = scene
        .ask_as("ann", "missing")
        .post(request(1, "ping", json!({})))
        .await;
    assert_eq!(
        (got.status, got.code()),
        (404, -33_004),
        "a namespace that is not there"
    );
    let got = scene.bare().post(request(1, "ping", json!({}))).await;
    assert_eq!((got.status, got.code()), (401, -33_001), "nobody said who calls");
}

#[tokio::test(start_paused = true)]
async fn f02_sessions_that_are_not_used_expire() {
    let scene = Scene::new();
    let (silent, used) = (scene.initialize().await, scene.initialize().await);
    scene.session(&used, "ping", json!({})).await;
    tokio::time::advance(scene.server.settings().sessions.uninitialized).await;
    assert_eq!(scene.session(&silent, "ping", json!({})).await.status, 404);
    assert_eq!(scene.session(&used, "ping", json!({})).await.status, 200);
    tokio::time::advance(scene.server.settings().sessions.idle).await;
    assert_eq!(scene.session(&used, "ping", json!({})).await.status, 404);
}

#[tokio::test(start_paused = true)]
async fn f02_a_session_with_a_running_call_is_in_use() {
    let engine = crate::scene::mock(&["t"]);
    let scene = Scene::of(engine.clone(), tooldock_mcp::Settings::default());
    let id = scene.initialize().await;
    let call = scene.session(&id, "tools/call", json!({"name": "t"}));
    let wait = async {
        let running = engine.next().await;
        tokio::time::advance(scene.server.settings().sessions.idle * 2).await;
        assert_eq!(scene.session(&id, "ping", json!({})).await.status, 200);
        running.answer(Ok(crate::lifetimes::said("late")));
    };
    let (got, ()) = tokio::join!(call, wait);
    assert!(got.text.contains("late"), "{got:?}");
}

#[tokio::test(start_paused = true)]
async fn a_session_is_found_right_after_a_long_stream_or_call() {
    let hours = std::time::Duration::from_secs(2 * 60 * 60);
    let slow = move |_cx, _arguments| async move {
        tokio::time::sleep(hours).await;
        Ok(ToolOutput::text("done"))
    };
    let engine = StaticEngine::builder().tool(tool("slow"), slow).build().unwrap();
    let scene = Scene::of(std::sync::Arc::new(engine), tooldock_mcp::Settings::default());
    let id = scene.initialize().await;

    let stream = scene.watch(&id).await;
    tokio::time::advance(hours).await;
    drop(stream);
    let got = scene.session(&id, "tools/call", json!({"name": "slow"})).await;
    assert_eq!(got.status, 200, "after the stream: {got:?}");
    let got = scene.session(&id, "ping", json!({})).await;
    assert_eq!(got.status, 200, "after the call: {got:?}");
}
