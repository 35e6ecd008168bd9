//! Watched resources, and changes of every kind of list.

use std::sync::Arc;

use serde_json::{Value, json};
use tooldock_engine::{
    Catalog, Change,
    catalog::{Prompt, Resource, ResourceTemplate},
    testing::EngineMock,
};
use tooldock_mcp::Settings;

use crate::scene::{Scene, tool};

const SUB: &str = "io.modelcontextprotocol/subscriptionId";

fn catalog(prompt: &str, resource: &str) -> Catalog {
    Catalog::builder()
        .tool(tool("a"))
        .prompt(Prompt::new(prompt))
        .resource(Resource::new("note://a", resource))
        .template(ResourceTemplate::new("day://{day}", "days"))
        .build()
        .unwrap()
}

fn scene() -> (Arc<EngineMock>, Scene) {
    let engine = Arc::new(EngineMock::new(catalog("p", "a")));
    let mut settings = Settings::default();
    settings.resource_watches = 2;
    let scene = Scene::of(engine.clone(), settings);
    (engine, scene)
}

fn updated(uri: &str) -> Change {
    Change::Updated(uri.into())
}

fn notice(method: &str, params: &Value) -> Option<Value> {
    Some(json!({"jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": params}))
}

#[tokio::test]
async fn a_session_is_told_once_of_what_it_watches() {
    let (engine, scene) = scene();
    let (id, other) = (scene.initialize().await, scene.initialize().await);
    let (mut old, mut new, mut others) = (
        scene.watch(&id).await,
        scene.watch(&id).await,
        scene.watch(&other).await,
    );
    for uri in ["note://a", "day://1", "note://a"] {
        let got = scene
            .session(&id, "resources/subscribe", json!({"uri": uri}))
            .await;
        assert_eq!(got.json()["result"], json!({}));
    }
    for uri in ["note://a", "note://a", "day://2", "day://1"] {
        engine.tell(updated(uri));
    }
    let told = [new.message().await, new.message().await];
    let expected = ["day://1", "note://a"].map(|uri| notice("resources/updated", &json!({"uri": uri})));
    assert_eq!(told, expected, "each once");
    assert!(old.is_silent() && new.is_silent() && others.is_silent());
    drop(new);
    scene
        .session(&id, "resources/unsubscribe", json!({"uri": "note://a"}))
        .await;
    engine.tell(updated("note://a"));
    engine.tell(updated("day://1"));
    assert_eq!(
        old.message().await,
        notice("resources/updated", &json!({"uri": "day://1"}))
    );
    assert!(old.is_silent(), "it has left");
}

#[tokio::test]
async fn an_update_without_a_stream_is_told_on_the_next() {
    let (engine, scene) = scene();
    let id = scene.initialize().await;
    scene
        .session(&id, "resources/subscribe", json!({"uri": "note://a"}))
        .await;
    engine.tell(updated("note://a"));
    tokio::task::yield_now().await;
    let mut stream = scene.watch(&id).await;
    assert_eq!(
        stream.message().await,
        notice("resources/updated", &json!({"uri": "note://a"}))
    );
    assert!(stream.is_silent());
}

#[tokio::test]
async fn nobody_watches_what_he_cannot_see_or_too_much() {
    let (engine, scene) = scene();
    let id = scene.initialize().await;
    let subscribe = async |uri: &str| {
        scene
            .session(&id, "resources/subscribe", json!({"uri": uri}))
            .await
    };
    let got = subscribe("note://b").await;
    assert_eq!(
        (got.code(), &got.json()["error"]["data"]),
        (-32_002, &json!({"uri": "note://b"}))
    );
    assert_eq!(
        scene.session(&id, "resources/subscribe", json!({})).await.code(),
        -32_602
    );
    for uri in ["note://a", "day://1"] {
        assert_eq!(subscribe(uri).await.code(), 0);
    }
    let got = subscribe("day://2").await;
    assert!(
        got.code() != 0 && got.text.contains("MCP_RESOURCE_WATCHES"),
        "{got:?}"
    );
    let mut stream = scene.watch(&id).await;
    engine.change(Catalog::builder().tool(tool("a")).build().unwrap());
    for _ in 0..2 {
        assert!(
            stream.message().await.unwrap()["method"]
                .as_str()
                .unwrap()
                .ends_with("list_changed")
        );
    }
    engine.tell(updated("note://a"));
    tokio::task::yield_now().await;
    assert!(stream.is_silent(), "it is not there any more");
}

#[tokio::test]
async fn f51_each_list_that_changes_is_told_of_by_its_name() {
    let (engine, scene) = scene();
    let id = scene.initialize().await;
    let mut stream = scene.watch(&id).await;
    let mut all = scene
        .listen(
            7,
            json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
                "resourceSubscriptions": ["note://a", "note://secret"]}),
        )
        .await;
    let mut prompts = scene.listen(8, json!({"promptsListChanged": true})).await;
    let acknowledged = all.message().await.unwrap();
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
            "resourceSubscriptions": ["note://a"]}),
        "what cannot be read is left out"
    );
    prompts.message().await;
    let tag = |id: i64| json!({"_meta": {SUB: id}});
    engine.change(catalog("q", "a"));
    assert_eq!(stream.message().await, notice("prompts/list_changed", &json!({})));
    assert_eq!(all.message().await, notice("prompts/list_changed", &tag(7)));
    assert_eq!(prompts.message().await, notice("prompts/list_changed", &tag(8)));
    engine.change(catalog("q", "b"));
    assert_eq!(
        stream.message().await,
        notice("resources/list_changed", &json!({}))
    );
    assert_eq!(all.message().await, notice("resources/list_changed", &tag(7)));
    assert!(prompts.is_silent(), "it did not ask for that");
    engine.tell(updated("note://a"));
    let params = json!({"uri": "note://a", "_meta": {SUB: 7}});
    assert_eq!(all.message().await, notice("resources/updated", &params));
    assert!(all.is_silent() && stream.is_silent() && prompts.is_silent());
}

#[tokio::test]
async fn kinds_that_a_namespace_does_not_have_are_not_announced_and_not_served() {
    let tools = Catalog::builder().tool(tool("a")).build().unwrap();
    let scene = Scene::of(Arc::new(EngineMock::new(tools)), Settings::default());
    for method in [
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "completion/complete",
    ] {
        let params = json!({"name": "a", "uri": "note://a"});
        let got = scene.modern(method, params.clone()).await;
        let id = scene.initialize().await;
        let session = scene.session(&id, method, params).await;
        if method == "resources/read" {
            assert_eq!((session.status, session.code()), (200, -32_601));
            continue;
        }
        assert_eq!((got.status, got.code()), (404, -32_601), "{method}");
        assert_eq!((session.status, session.code()), (200, -32_601), "{method}");
    }
    let open = Catalog::builder().open().build().unwrap();
    let scene = Scene::of(Arc::new(EngineMock::new(open)), Settings::default());
    let capabilities =
        scene.modern("server/discover", json!({})).await.json()["result"]["capabilities"].clone();
    let all = json!({"logging": {}, "completions": {}, "tools": {"listChanged": true},
        "prompts": {"listChanged": true}, "resources": {"subscribe": true, "listChanged": true}});
    assert_eq!(capabilities, all, "what it may get is announced");
    let list = scene.modern("prompts/list", json!({})).await.json();
    assert_eq!(list["result"]["prompts"], json!([]));
}
