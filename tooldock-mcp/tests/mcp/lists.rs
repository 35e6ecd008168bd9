//! Lists: pages, order, and what each revision has.

use std::sync::Arc;

use serde_json::{Value, json};
use tooldock_engine::{Catalog, RawJson, catalog::Resource, testing::EngineMock};
use tooldock_mcp::{Revision, Revisions, Settings};

use crate::scene::{Scene, mock, offer, raw, request, tool};

fn names(list: &Value) -> Vec<&str> {
    list["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn pages_follow_each_other_until_there_is_no_cursor() {
    let engine = mock(&["e", "b", "d", "a", "c"]);
    let mut settings = Settings::default();
    settings.page_size = 2;
    let scene = Scene::of(engine.clone(), settings);
    let mut params = json!({});
    let mut seen = Vec::new();
    for _ in 0..3 {
        let list = scene.modern("tools/list", params.clone()).await.json();
        assert!(names(&list).len() <= 2);
        seen.extend(names(&list).into_iter().map(str::to_owned));
        params = json!({"cursor": list["result"]["nextCursor"]});
    }
    assert_eq!(params, json!({"cursor": null}), "the last page has none");
    assert_eq!(seen, ["a", "b", "c", "d", "e"]);

    let cursor = scene.modern("tools/list", json!({})).await.json()["result"]["nextCursor"].clone();
    let text = cursor.as_str().unwrap();
    for bad in [
        "",
        "x",
        "-1",
        &text[..text.len() - 1],
        &format!("{text}0"),
        &text.replace('.', "+"),
        &format!("{text}.1"),
        &text.replace(".1", ".01"),
    ] {
        let got = scene.modern("tools/list", json!({"cursor": bad})).await;
        assert_eq!((got.status, got.code()), (200, -32_602), "`{bad}`");
    }
    engine.change(Catalog::builder().tool(tool("z")).build().unwrap());
    let got = scene.modern("tools/list", json!({"cursor": cursor})).await;
    assert_eq!(got.code(), -32_602, "a cursor belongs to its list");
    assert_eq!(names(&scene.modern("tools/list", json!({})).await.json()), ["z"]);
}

#[tokio::test]
async fn a_cursor_says_why_it_does_not_fit() {
    let catalog = |note: &str| {
        let catalog = Catalog::builder().tool(tool("a")).tool(tool("b"));
        let catalog = ["note://a", "note://b"]
            .into_iter()
            .fold(catalog, |catalog, uri| catalog.resource(Resource::new(uri, note)));
        catalog.build().unwrap()
    };
    let engine = Arc::new(EngineMock::new(catalog("first")));
    let scene = |page_size| {
        let mut settings = Settings::default();
        settings.page_size = page_size;
        Scene::of(engine.clone(), settings)
    };
    let (scene, other) = (scene(1), scene(2));
    let first = scene.modern("tools/list", json!({})).await.json();
    let cursor = json!({"cursor": first["result"]["nextCursor"]});
    assert_eq!(scene.modern("tools/list", cursor.clone()).await.status, 200);
    let id = scene.initialize().await;
    engine.change(catalog("first"));
    let refused = [
        (
            scene.modern("resources/list", cursor.clone()).await,
            "another list",
        ),
        (
            scene.modern("resources/templates/list", cursor.clone()).await,
            "another list",
        ),
        (other.modern("tools/list", cursor.clone()).await, "another view"),
        (
            scene.session(&id, "tools/list", cursor.clone()).await,
            "another view",
        ),
        (
            scene.modern("tools/list", json!({"cursor": "x"})).await,
            "none that this server",
        ),
    ];
    engine.change(catalog("second"));
    let changed = (scene.modern("tools/list", cursor).await, "has changed");
    for (got, why) in refused.into_iter().chain([changed]) {
        assert_eq!((got.status, got.code()), (200, -32_602), "{got:?}");
        assert!(got.text.contains(why), "{why}: {got:?}");
    }
}

#[tokio::test]
async fn each_revision_gets_what_it_knows() {
    let mut full = tool("full");
    full.title = Some("Full".to_owned());
    full.description = Some("d".to_owned());
    full.input_schema = raw(r#"{"type": "object", "x": 1.10}"#);
    full.output_schema = Some(RawJson::from(json!({"type": "array"})));
    full.annotations = Some(RawJson::from(json!({"readOnlyHint": true})));
    full.icons = Some(RawJson::empty_array());
    full.meta = Some(RawJson::empty_object());
    let catalog = || Catalog::builder().tool(full.clone()).build().unwrap();
    let mut settings = Settings::default();
    settings.revisions = Revisions::of(&Revision::ALL);
    let scene = Scene::of(Arc::new(EngineMock::new(catalog())), settings);

    let modern = scene.modern("tools/list", json!({})).await;
    assert!(
        modern
            .text
            .contains(r#""inputSchema":{"type": "object", "x": 1.10}"#),
        "schemas keep their bytes"
    );
    let members = |list: &Value| {
        let tool = list["result"]["tools"][0].as_object().unwrap().clone();
        tool.keys()
            .filter(|name| !["name", "description", "inputSchema"].contains(&name.as_str()))
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        members(&modern.json()),
        ["_meta", "annotations", "icons", "outputSchema", "title"]
    );
    let table: [(&str, &[&str]); 4] = [
        ("2025-11-25", &["_meta", "annotations", "icons", "title"]),
        ("2025-06-18", &["_meta", "annotations", "title"]),
        ("2025-03-26", &["annotations"]),
        ("2024-11-05", &[]),
    ];
    for (revision, expected) in table {
        let opened = scene.ask().post(request(0, "initialize", offer(revision))).await;
        let id = opened.header("mcp-session-id").unwrap();
        let list = scene
            .ask()
            .with("mcp-session-id", id)
            .post(request(1, "tools/list", json!({})))
            .await
            .json();
        assert_eq!(members(&list), expected, "{revision}");
        assert!(list["result"].get("ttlMs").is_none() && list["result"].get("resultType").is_none());
    }
}

#[tokio::test]
async fn the_time_a_list_may_be_reused_is_set() {
    let mut settings = Settings::default();
    settings.list_ttl = std::time::Duration::from_secs(60);
    let catalog = Catalog::builder().open().build().unwrap();
    let scene = Scene::of(Arc::new(EngineMock::new(catalog)), settings);
    for method in [
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "server/discover",
    ] {
        let got = scene.modern(method, json!({})).await.json();
        assert_eq!(
            (&got["result"]["ttlMs"], &got["result"]["cacheScope"]),
            (&json!(60_000), &json!("private"))
        );
    }
}
