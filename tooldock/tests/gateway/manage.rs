//! What the manager may do, and nobody else.

use std::{sync::Arc, time::Duration};

use axum::{Router, body::Body};
use http::StatusCode;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tooldock::{
    Gateway, ManagerGuard,
    engine::LayerStack,
    http::{Cidr, HttpSettings, Peer, Token, Tokens},
    registry::Registry,
};
use tower::ServiceExt as _;

use crate::{
    fixture::{bearer, request, send},
    script::{Script, Version},
};

const MANAGER: &str = "the-token-of-the-manager";

fn app() -> (Arc<Script>, Router) {
    let script = Arc::new(Script::default());
    script.set("a", Version::Works("a1"));
    let registry = Arc::new(Registry::new(LayerStack::new(), Duration::from_secs(30)));
    let guard = ManagerGuard::new(
        Tokens::new([Token::new("manager", MANAGER).unwrap()]),
        Cidr::new(["10.0.0.0/8".parse().unwrap()]),
    );
    let gateway = Gateway::builder()
        .http(HttpSettings::new(bearer()))
        .registry(registry)
        .source(script.clone())
        .managed(guard)
        .build()
        .unwrap();
    (script, gateway.router())
}

/// A request of the manager.
fn managed(method: &str, path: &str) -> http::request::Builder {
    request(method, path)
        .header("x-manager-token", MANAGER)
        .extension(Peer::new([10, 1, 2, 3].into()))
}

async fn ask(app: &Router, method: &str, path: &str, body: &Value) -> Value {
    let body = if body.is_null() {
        Body::empty()
    } else {
        Body::from(body.to_string())
    };
    let (status, _, answer) = send(app, managed(method, path).body(body).unwrap()).await;
    assert_eq!(status, StatusCode::OK, "{path}: {answer}");
    answer
}

#[tokio::test]
async fn s10_each_lock_is_needed_and_none_tells_which_one_failed() {
    let (_, app) = app();
    for path in ["/reload", "/internal/state"] {
        let method = if path == "/reload" { "POST" } else { "GET" };
        let mut refusals = Vec::new();
        for (bearer, token, inside) in (0..8).map(|bits| (bits & 4 != 0, bits & 2 != 0, bits & 1 != 0)) {
            let mut builder = request(method, path);
            if !bearer {
                builder.headers_mut().unwrap().remove("authorization");
            }
            if token {
                builder = builder.header("x-manager-token", MANAGER);
            }
            let peer = if inside { [10, 0, 0, 1] } else { [11, 0, 0, 1] };
            let (status, _, mut body) = send(
                &app,
                builder
                    .extension(Peer::new(peer.into()))
                    .body(Body::empty())
                    .unwrap(),
            )
            .await;
            let expected = match (bearer, token && inside) {
                (false, _) => StatusCode::UNAUTHORIZED,
                (true, false) => StatusCode::FORBIDDEN,
                (true, true) => StatusCode::OK,
            };
            assert_eq!(
                status, expected,
                "{path}: bearer {bearer}, token {token}, inside {inside}: {body}"
            );
            if status == StatusCode::FORBIDDEN {
                body["request_id"].take();
                refusals.push(body);
            }
        }
        assert!(refusals.windows(2).all(|pair| pair[0] == pair[1]), "{refusals:?}");
    }
}

#[tokio::test]
async fn a_dry_run_says_what_would_be_done() {
    let (_, app) = app();
    let plan = ask(&app, "POST", "/reload", &json!({"dry_run": true})).await;
    assert_eq!(
        (&plan["dry_run"], &plan["namespaces"][0]["action"]),
        (&json!(true), &json!("start")),
        "{plan}"
    );
    let report = ask(&app, "POST", "/reload", &Value::Null).await;
    assert_eq!(
        report["namespaces"][0]["tools"]["added"],
        json!(["say"]),
        "{report}"
    );
    let report = ask(&app, "POST", "/reload", &json!({})).await;
    assert_eq!(report["namespaces"][0]["action"], "keep", "{report}");
}

#[tokio::test]
async fn a_wish_that_is_not_understood_is_refused() {
    let (_, app) = app();
    let (status, _, body) = send(
        &app,
        managed("POST", "/reload")
            .body(Body::from(r#"{"dry": true}"#))
            .unwrap(),
    )
    .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(
        body["error"]["message"].as_str().unwrap().contains("dry_run"),
        "{body}"
    );
}

#[tokio::test]
async fn a_reload_can_be_followed_and_ends_with_its_report() {
    let (script, app) = app();
    script.set("b", Version::Fails("b1"));
    let mut builder = managed("POST", "/reload");
    builder
        .headers_mut()
        .unwrap()
        .insert("accept", "text/event-stream".parse().unwrap());
    // The application lives on, so only the report can end the stream.
    let answer = app
        .clone()
        .oneshot(builder.body(Body::empty()).unwrap())
        .await
        .unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let bytes = tokio::time::timeout(Duration::from_secs(5), answer.into_body().collect()).await;
    let bytes = bytes
        .expect("the stream ends with its report")
        .unwrap()
        .to_bytes();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let events: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("event: "))
        .collect();
    assert_eq!(events.last(), Some(&"report"), "{text}");
    for event in ["progress", "ready", "failed"] {
        assert!(events.contains(&event), "{event} is missing in {text}");
    }
    let report = text.lines().rfind(|line| line.starts_with("data: ")).unwrap();
    let report: Value = serde_json::from_str(report.trim_start_matches("data: ")).unwrap();
    assert_eq!(report["namespaces"].as_array().unwrap().len(), 2, "{report}");
}

#[tokio::test]
async fn the_manager_sees_state_and_can_try_a_tool() {
    let (_, app) = app();
    ask(&app, "POST", "/reload", &Value::Null).await;
    let state = ask(&app, "GET", "/internal/state", &Value::Null).await;
    assert_eq!(
        (&state["namespaces"][0]["name"], &state["namespaces"][0]["state"]),
        (&json!("a"), &json!("serving"))
    );
    let told = ask(&app, "POST", "/internal/namespaces/a/tools/say/test", &json!({})).await;
    assert_eq!(
        (&told["ok"], &told["content"][0]["text"]),
        (&json!(true), &json!("a1")),
        "{told}"
    );
    let told = ask(&app, "POST", "/internal/namespaces/a/tools/nope/test", &json!({})).await;
    assert_eq!(
        (&told["ok"], &told["error"]["code"]),
        (&json!(false), &json!("tool_not_found")),
        "{told}"
    );
    for path in [
        "/internal/namespaces/a/tools",
        "/internal/namespaces/a/log?lines=5",
        "/internal/settings",
    ] {
        assert!(ask(&app, "GET", path, &Value::Null).await.is_object(), "{path}");
    }
    let (status, ..) = send(
        &app,
        managed("GET", "/internal/namespaces/none/tools")
            .body(Body::empty())
            .unwrap(),
    )
    .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn information_about_the_gateway_and_a_namespace_needs_the_bearer_token_only() {
    let (_, app) = app();
    ask(&app, "POST", "/reload", &Value::Null).await;
    let get = async |path: &str| send(&app, request("GET", path).body(Body::empty()).unwrap()).await;
    let (_, _, info) = get("/mcp/info").await;
    assert_eq!(info["namespaces"][0]["mcp"], "a/mcp", "{info}");
    assert!(
        info["protocolVersions"]
            .as_array()
            .unwrap()
            .contains(&json!("2026-07-28")),
        "{info}"
    );
    for path in ["/a/info", "/mcp/a/info"] {
        let (status, _, info) = get(path).await;
        assert_eq!(
            (status, &info["tools"]),
            (StatusCode::OK, &json!(["say"])),
            "{path}: {info}"
        );
    }
    let (_, _, list) = get("/mcp/namespaces").await;
    assert_eq!(list["namespaces"][0]["name"], "a", "{list}");
    let (status, ..) = get("/none/info").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_namespace_goes_back_to_what_served_before() {
    let (_, app) = app();
    ask(&app, "POST", "/reload", &Value::Null).await;
    let back = json!({"namespace": "a", "rollback": true});
    let report = ask(&app, "POST", "/reload", &back).await;
    assert_eq!(
        (&report["ok"], &report["namespaces"][0]["action"]),
        (&json!(true), &json!("replace")),
        "{report}"
    );
    let tried = ask(
        &app,
        "POST",
        "/internal/namespaces/a/tools/say/test",
        &Value::Null,
    )
    .await;
    assert_eq!(tried["content"][0]["text"], "before");
    for (body, status) in [
        (json!({"namespace": "a"}), StatusCode::BAD_REQUEST),
        (json!({"rollback": true}), StatusCode::BAD_REQUEST),
        (
            json!({"namespace": "a", "rollback": true, "dry_run": true}),
            StatusCode::BAD_REQUEST,
        ),
        (
            json!({"namespace": "nobody", "rollback": true}),
            StatusCode::NOT_FOUND,
        ),
        (
            json!({"namespace": "../a", "rollback": true}),
            StatusCode::NOT_FOUND,
        ),
    ] {
        let request = managed("POST", "/reload")
            .body(Body::from(body.to_string()))
            .unwrap();
        assert_eq!(send(&app, request).await.0, status, "{body}");
    }
}
