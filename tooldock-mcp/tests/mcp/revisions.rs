//! What each revision of the handshake era gets, row by row.

use std::sync::Arc;

use serde_json::{Value, json};
use tooldock_engine::{RawJson, StaticEngine, Tool, ToolOutput, catalog::About};
use tooldock_mcp::{Revision, Revisions, Settings};

use crate::scene::{HANDSHAKE, Scene, offer, raw, request, tool};

const OLDER: [&str; 3] = [HANDSHAKE, "2025-06-18", "2025-03-26"];

#[tokio::test]
async fn s32_every_spoken_date_is_served_in_every_session() {
    let scene = Scene::new();
    for negotiated in OLDER {
        let id = scene.initialize_in(negotiated).await;
        for stated in OLDER {
            let ask = scene.ask().with("mcp-session-id", &id);
            let ask = ask.with("mcp-protocol-version", stated);
            let got = ask.post(request(1, "tools/list", json!({}))).await.json();
            let rich = &got["result"]["tools"].as_array().unwrap()[5];
            assert_eq!(
                rich.get("title").is_some(),
                negotiated != "2025-03-26",
                "what was negotiated decides: {negotiated} {stated}"
            );
        }
    }
}

#[tokio::test]
async fn the_server_introduces_itself_with_the_namespace() {
    let about = About {
        description: Some("Tools to try.".to_owned()),
        version: Some("2.1".to_owned()),
        ..About::default()
    };
    let engine = StaticEngine::builder().about(about).build().unwrap();
    let scene = Scene::of(Arc::new(engine), Settings::default());
    let table = [
        (
            HANDSHAKE,
            json!({"name": "gate", "title": "demo", "version": "2.1"}),
        ),
        (
            "2025-06-18",
            json!({"name": "gate", "title": "demo", "version": "2.1"}),
        ),
        ("2025-03-26", json!({"name": "gate", "version": "2.1"})),
    ];
    for (revision, expected) in table {
        let got = scene
            .ask()
            .post(request(0, "initialize", offer(revision)))
            .await
            .json();
        assert_eq!(got["result"]["serverInfo"], expected, "{revision}");
        assert_eq!(got["result"]["instructions"], "Tools to try.");
    }
    let modern = scene.modern("tools/list", json!({})).await.json();
    assert_eq!(
        modern["result"]["_meta"]["io.modelcontextprotocol/serverInfo"],
        json!({"name": "gate", "title": "demo", "version": "2.1"})
    );
}

#[tokio::test]
async fn content_that_a_revision_does_not_know_becomes_text() {
    const CONTENT: &str = concat!(
        r#"[{"type": "text", "text": "1.10"},"#,
        r#"{"type": "audio", "data": "AA==", "mimeType": "audio/wav"},"#,
        r#"{"type": "resource_link", "uri": "note://a", "name": "A"}, {"type": "text", "text": "", "x": 1.10}]"#
    );
    let engine = StaticEngine::builder()
        .tool(tool("t"), async |_cx, _: RawJson| {
            Ok(ToolOutput {
                content: raw(CONTENT),
                ..ToolOutput::text("")
            })
        })
        .build()
        .unwrap();
    let mut settings = Settings::default();
    settings.revisions = Revisions::of(&Revision::ALL);
    let scene = Scene::of(Arc::new(engine), settings);
    let link = r#"{"type":"text","text":"A: note://a"}"#;
    let sound =
        r#"{"type":"text","text":"[audio/wav: left out, protocol revision 2024-11-05 has no such content]"}"#;
    let parts = |sound: &str, link: &str| {
        format!(
            r#"[{{"type": "text", "text": "1.10"}},{sound},{link},{{"type": "text", "text": "", "x": 1.10}}]"#
        )
    };
    let audio = r#"{"type": "audio", "data": "AA==", "mimeType": "audio/wav"}"#;
    let table = [
        (HANDSHAKE, CONTENT.to_owned()),
        ("2025-06-18", CONTENT.to_owned()),
        ("2025-03-26", parts(audio, link)),
        ("2024-11-05", parts(sound, link)),
    ];
    for (revision, expected) in table {
        let id = scene.initialize_in(revision).await;
        let ask = scene.ask().with("mcp-session-id", &id);
        let got = ask.post(request(1, "tools/call", json!({"name": "t"}))).await;
        let part = format!(r#""content":{expected},"isError""#);
        assert!(got.text.contains(&part), "{revision}: {}", got.text);
    }
}

fn valued(value: &'static str, bare: bool) -> (Tool, ToolOutput) {
    let mut tool = tool("t");
    tool.output_schema = Some(raw(r#"{"type": "object", "x": 1.10}"#));
    let mut output = ToolOutput::structured(&raw(value));
    if bare {
        output.content = RawJson::empty_array();
    }
    (tool, output)
}

#[tokio::test]
async fn values_are_told_in_text_where_a_revision_has_no_place_for_them() {
    const VALUE: &str = r#"{"n": 1.10}"#;
    for bare in [false, true] {
        let (tool, output) = valued(VALUE, bare);
        let engine = StaticEngine::builder()
            .tool(tool, move |_cx, _: RawJson| {
                let output = output.clone();
                async move { Ok(output) }
            })
            .build()
            .unwrap();
        let scene = Scene::of(Arc::new(engine), Settings::default());
        for (revision, has_place) in [(HANDSHAKE, true), ("2025-06-18", true), ("2025-03-26", false)] {
            let id = scene.initialize_in(revision).await;
            let list = scene.ask().with("mcp-session-id", &id);
            let list = list.post(request(1, "tools/list", json!({}))).await;
            assert_eq!(
                list.text
                    .contains(r#""outputSchema":{"type": "object", "x": 1.10}"#),
                has_place
            );
            let call = scene.ask().with("mcp-session-id", &id);
            let call = call.post(request(1, "tools/call", json!({"name": "t"}))).await;
            assert_eq!(
                call.text.contains(r#""structuredContent":{"n": 1.10}"#),
                has_place,
                "{revision}"
            );
            let text = &call.json()["result"]["content"][0]["text"];
            let expected = if bare && has_place {
                Value::Null
            } else {
                VALUE.into()
            };
            assert_eq!(*text, expected, "{revision} {bare}");
        }
    }
}
