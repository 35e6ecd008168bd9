//! The transport of 2024-11-05 through the gateway: every way to its paths, and none where it is switched off.

use std::collections::BTreeMap;

use axum::{Router, body::Body};
use http::StatusCode;
use serde_json::{Value, json};
use tooldock::{
    Gateway,
    config::{CoreSettings, Sources},
};

use crate::fixture::{Stream, TOKEN, engine, gateway, request, send};

/// Opens a stream.
async fn open(app: &Router, path: &str, header: Option<&str>) -> Stream {
    let mut opening = request("GET", path);
    if let Some(header) = header {
        opening = opening.header("x-namespace", header);
    }
    Stream::open(app, opening, "").await
}

/// The data of the next event called `name`.
async fn event(stream: &mut Stream, name: &str) -> String {
    loop {
        let frame = stream.frame().await.expect("the stream goes on");
        if let Some(data) = frame.strip_prefix(&format!("event: {name}\ndata: ")) {
            return data.trim_end().to_owned();
        }
    }
}

/// Where a client sends to that was told `endpoint` on the stream at `path` (RFC 3986: relative to the last slash).
fn resolve(path: &str, endpoint: &str) -> String {
    let (folder, _) = path.rsplit_once('/').unwrap();
    format!("{folder}/{endpoint}")
}

#[tokio::test]
async fn a_conversation_goes_over_each_path_of_a_namespace() {
    let app = gateway().router();
    for (path, header) in [
        ("/demo/sse", None),
        ("/sse", Some("demo")),
        ("/demo/sse", Some("demo")),
    ] {
        let mut stream = open(&app, path, header).await;
        let address = resolve(path, &event(&mut stream, "endpoint").await);
        let offer = json!({"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        for (id, method, params) in [
            (1, "initialize", offer),
            (
                2,
                "tools/call",
                json!({"name": "add", "arguments": {"a": 1.5, "b": 2}}),
            ),
        ] {
            let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            stream.note(&message);
            let mut posting = request("POST", &address);
            if let Some(header) = header {
                posting = posting.header("x-namespace", header);
            }
            let (status, _, _) = send(&app, posting.body(Body::from(message.to_string())).unwrap()).await;
            assert_eq!(status, StatusCode::ACCEPTED, "{address}");
            let answer: Value = serde_json::from_str(&event(&mut stream, "message").await).unwrap();
            assert_eq!(answer["id"], id, "{answer}");
            let text = &answer["result"]["content"][0]["text"];
            assert!(id == 1 || text == r#"{"sum":3.5}"#, "{answer}");
        }
    }
}

#[tokio::test]
async fn without_the_setting_its_paths_are_not_there() {
    let environment = [
        ("BEARER_TOKEN", TOKEN),
        ("ALLOW_INSECURE_SECRETS", "1"),
        ("ENABLE_LEGACY_MCP", "false"),
    ];
    let environment: BTreeMap<_, _> = environment
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let settings = CoreSettings::read(&Sources::environment(&environment)).unwrap();
    let gateway = Gateway::builder()
        .namespace("demo", engine())
        .http(settings.http)
        .mcp(settings.mcp);
    let app = gateway.build().unwrap().router();
    for (method, path) in [
        ("GET", "/demo/sse"),
        ("POST", "/demo/messages?session_id=0"),
        ("GET", "/sse"),
    ] {
        let asked = request(method, path).header("x-namespace", "demo");
        let (status, _, body) = send(&app, asked.body(Body::from("{}")).unwrap()).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}: {body}");
        assert!(body["error"]["message"].is_string(), "{path}: {body}");
    }
}
