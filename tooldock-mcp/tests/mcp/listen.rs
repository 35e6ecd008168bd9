//! `subscriptions/listen`: change notices of the modern era.

use std::{sync::Arc, time::Duration};

use futures_util::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineReply, EngineRequest, ToolEngine, testing::EngineMock,
};
use tooldock_mcp::{ConnectionInfo, Reply, Revision, Settings, testing::TestClient};

use crate::scene::{MODERN, Scene, caller, catalog, enveloped, judge, mock, request};

const SUB: &str = "io.modelcontextprotocol/subscriptionId";

fn scene() -> (Arc<EngineMock>, Scene) {
    let engine = mock(&["a"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    (engine, scene)
}

fn changed(id: &Value) -> Option<Value> {
    let params = json!({"_meta": {SUB: id}});
    Some(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": params}))
}

#[tokio::test]
async fn f51_a_subscriber_is_told_once_and_everything_bears_the_id_as_it_was_sent() {
    for id in [
        json!("9"),
        json!(9),
        json!(9_007_199_254_740_993_i64),
        json!("größe"),
    ] {
        let (engine, scene) = scene();
        let mut stream = scene.listen(id.clone(), json!({"toolsListChanged": true})).await;
        assert_eq!(
            stream.message().await.unwrap(),
            json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                "params": {"_meta": {SUB: id}, "notifications": {"toolsListChanged": true}}})
        );
        assert!(stream.is_silent());
        engine.change(catalog(&["a", "b"]));
        assert_eq!(stream.message().await, changed(&id));
        engine.change(catalog(&["a", "b"]));
        assert!(stream.is_silent(), "a hint without a change");
        scene.server.close();
        let last = stream.message().await.unwrap();
        assert_eq!(
            (
                &last["id"],
                &last["result"]["resultType"],
                &last["result"]["_meta"][SUB]
            ),
            (&id, &json!("complete"), &id)
        );
        assert_eq!(stream.message().await, None, "the answer is the last event");
    }
}

#[tokio::test]
async fn a_change_after_the_request_is_told_even_if_the_acknowledgement_is_read_later() {
    let (engine, scene) = scene();
    let mut stream = scene.listen(1, json!({"toolsListChanged": true})).await;
    engine.change(catalog(&["b"]));
    let acknowledged = stream.message().await.unwrap();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(stream.message().await, changed(&json!(1)));
}

#[tokio::test]
async fn only_what_is_wanted_and_served_is_honoured() {
    let (engine, scene) = scene();
    for wanted in [
        json!({}),
        json!({"toolsListChanged": false}),
        json!({"promptsListChanged": true, "resourceSubscriptions": ["note://a"], "else": 1}),
    ] {
        let mut stream = scene.listen(1, wanted.clone()).await;
        let acknowledged = stream.message().await.unwrap();
        assert_eq!(acknowledged["params"]["notifications"], json!({}), "{wanted}");
        engine.change(catalog(&["a", "b"]));
        assert!(stream.is_silent(), "{wanted}");
        engine.change(catalog(&["a"]));
    }
    for params in [
        json!({}),
        json!({"notifications": []}),
        json!({"notifications": null}),
        json!({"notifications": {"toolsListChanged": 1}}),
    ] {
        let got = scene.modern("subscriptions/listen", params.clone()).await;
        assert_eq!((got.status, got.code()), (200, -32_602), "{params}");
    }
    let ask = scene.ask().without("accept").with("accept", "application/json");
    let ask = ask
        .with("mcp-protocol-version", MODERN)
        .with("mcp-method", "subscriptions/listen");
    let params = enveloped(json!({"notifications": {}}));
    assert_eq!(
        ask.post(request(1, "subscriptions/listen", params)).await.status,
        406
    );
}

#[tokio::test]
async fn sessions_have_no_subscriptions() {
    let (_, scene) = scene();
    let id = scene.initialize().await;
    let got = scene
        .session(&id, "subscriptions/listen", json!({"notifications": {}}))
        .await;
    assert_eq!(got.code(), -32_601);
}

#[tokio::test(start_paused = true)]
async fn shutdown_does_not_wait_for_subscribers() {
    let (_, scene) = scene();
    let mut stream = scene.listen(1, json!({"toolsListChanged": true})).await;
    stream.message().await;
    let begin = tokio::time::Instant::now();
    scene.server.shutdown(Duration::from_secs(5)).await;
    assert_eq!(begin.elapsed(), Duration::ZERO);
    assert_eq!(stream.message().await.unwrap()["id"], 1);
}

#[tokio::test]
async fn without_http_a_message_ends_a_subscription() {
    let (_, scene) = scene();
    let info = ConnectionInfo::new(caller("ann"), "demo".parse().unwrap());
    let mut client = TestClient::open(scene.server.connect(info), Revision::V2026_07_28)
        .await
        .watched(judge);
    let wanted = || json!({"notifications": {"toolsListChanged": true}});
    let (id, reply) = client.begin("subscriptions/listen", wanted()).await;
    let Reply::Stream(mut messages) = reply else {
        panic!("{reply:?}")
    };
    assert!(messages.next().await.unwrap().as_str().contains("acknowledged"));
    let again = request(id, "subscriptions/listen", enveloped(wanted()));
    let Reply::One(refused) = client.send(&again).await else {
        panic!("the id is in use")
    };
    assert!(refused.body.as_str().contains("-32600"));
    let params = enveloped(json!({"requestId": id}));
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
        .await;
    assert!(
        messages.next().await.is_none(),
        "nothing is sent to who has ended it"
    );
}

/// Looks at the list before it hands it out, and notices changes only once it is asked for them.
#[derive(Debug)]
struct Lazy(Arc<EngineMock>);

#[async_trait::async_trait]
impl ToolEngine for Lazy {
    fn catalog(&self, cx: &CallContext) -> tooldock_engine::Result<Arc<Catalog>> {
        self.0.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, _watch: &[Arc<str>]) -> Changes {
        let (engine, cx) = (self.0.clone(), cx.clone());
        Changes::from_stream(stream::once(async move { engine.changes(&cx, &[]) }).flatten())
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> tooldock_engine::Result<EngineReply> {
        self.0.serve(cx, request).await
    }

    async fn shutdown(&self, _grace: Duration) {}
}

#[tokio::test(start_paused = true)]
async fn f51_no_change_falls_between_looking_and_watching() {
    let engine = mock(&["a"]);
    let scene = Scene::of(Arc::new(Lazy(engine.clone())), Settings::default());
    let mut stream = scene.listen(1, json!({"toolsListChanged": true})).await;
    stream.message().await;
    assert!(stream.is_silent(), "it has looked and not yet got the answer");
    engine.change(catalog(&["b"]));
    let told = tokio::time::timeout(Duration::from_secs(60), stream.message()).await;
    assert_eq!(told, Ok(changed(&json!(1))));
}
