//! What a call's result looks like, and which failures are results.

use serde_json::{Value, json};

use crate::scene::{HANDSHAKE, MODERN, Scene, enveloped, raw, request};

#[tokio::test]
async fn s49_results_keep_their_bytes() {
    let scene = Scene::new();
    let got = scene.modern("tools/call", json!({"name": "rich"})).await;
    assert_eq!(
        got.text,
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"rich"}],"#,
            r#""structuredContent":{"n": 123456789012345678901234567890, "x": 1.10},"isError":false,"#,
            r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"gate","title":"demo","version":"9"},"trace/id":7}}}"#,
        )
    );
    let id = scene.initialize().await;
    let got = scene.session(&id, "tools/call", json!({"name": "rich"})).await;
    assert_eq!(
        got.text,
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"rich"}],"#,
            r#""structuredContent":{"n": 123456789012345678901234567890, "x": 1.10},"isError":false,"#,
            r#""_meta":{"trace/id":7}}}"#,
        )
    );
}

#[tokio::test]
async fn s49_arguments_keep_their_bytes() {
    let scene = Scene::new();
    let arguments = r#"{ "z": 1.10, "a": 123456789012345678901234567890, "u": "\u00e4" }"#;
    let body = format!(
        r#"{{"params":{{"arguments":{arguments},"_meta":{},"name":"echo"}},"method":"tools/call","id":1,"jsonrpc":"2.0"}}"#,
        enveloped(json!({}))["_meta"]
    );
    let ask = scene
        .ask()
        .with("mcp-protocol-version", MODERN)
        .with("mcp-method", "tools/call")
        .with("mcp-name", "echo");
    assert_eq!(
        ask.post(body).await.json()["result"]["content"][0]["text"],
        arguments
    );
}

#[tokio::test]
async fn failures_of_a_found_tool_are_results() {
    let scene = Scene::new();
    let id = scene.initialize().await;
    for (tool, text) in [
        ("fail", "it broke"),
        ("refuse", "`a` must be a number"),
        ("away", "no process"),
    ] {
        let params = json!({"name": tool});
        for got in [
            scene.modern("tools/call", params.clone()).await,
            scene.session(&id, "tools/call", params).await,
        ] {
            assert_eq!(got.status, 200);
            let result = &got.json()["result"];
            assert_eq!(result["isError"], true, "{tool}");
            assert_eq!(result["content"], json!([{"type": "text", "text": text}]));
            assert!(result.get("structuredContent").is_none());
            assert!(!got.text.contains("secret cause"), "causes are for the log");
        }
    }
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_that_names_similar_ones() {
    let scene = Scene::new();
    let id = scene.initialize().await;
    let params = json!({"name": "ecko"});
    for got in [
        scene.modern("tools/call", params.clone()).await,
        scene.session(&id, "tools/call", params).await,
    ] {
        assert_eq!((got.status, got.code()), (200, -32_602));
        assert_eq!(
            got.json()["error"]["message"],
            "there is no tool `ecko` here; did you mean `echo`?"
        );
    }
}

#[tokio::test]
async fn structured_content_goes_where_the_revision_takes_it() {
    use std::sync::Arc;
    use tooldock_engine::{StaticEngine, ToolOutput};
    const LIST: &str = "[1,2]";
    let engine = StaticEngine::builder()
        .tool(crate::scene::tool("list"), async |_cx, _| {
            Ok(ToolOutput::structured(&raw(LIST)))
        })
        .tool(crate::scene::tool("failed"), async |_cx, _| {
            Ok(ToolOutput {
                failed: true,
                ..ToolOutput::structured(&raw(LIST))
            })
        })
        .build()
        .unwrap();
    let scene = Scene::of(Arc::new(engine), tooldock_mcp::Settings::default());
    let id = scene.initialize().await;
    let structured = |got: Value| got["result"].get("structuredContent").cloned();
    let params = json!({"name": "list"});
    assert_eq!(
        structured(scene.modern("tools/call", params.clone()).await.json()),
        Some(json!([1, 2]))
    );
    assert_eq!(
        structured(scene.session(&id, "tools/call", params).await.json()),
        None,
        "{HANDSHAKE} has objects only"
    );
    let failed = scene.modern("tools/call", json!({"name": "failed"})).await.json();
    assert_eq!(
        (structured(failed.clone()), &failed["result"]["isError"]),
        (None, &json!(true))
    );
}

#[tokio::test]
async fn null_arguments_are_none() {
    let scene = Scene::new();
    let got = scene
        .modern("tools/call", json!({"name": "echo", "arguments": null}))
        .await;
    assert_eq!(got.json()["result"]["content"][0]["text"], "{}");
}

#[tokio::test]
async fn a_longer_message_than_the_limit_is_refused() {
    let mut settings = tooldock_mcp::Settings::default();
    settings.message_bytes = 100;
    let scene = Scene::of(crate::scene::mock(&[]), settings);
    let got = scene
        .ask()
        .post(request(1, "ping", json!({"padding": "x".repeat(100)})))
        .await;
    assert_eq!((got.status, got.code()), (413, -32_600));
    assert!(
        got.json()["error"]["message"]
            .as_str()
            .unwrap()
            .contains("100 bytes")
    );
}
