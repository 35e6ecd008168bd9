//! Callers with limits: what they see of the gateway, and what happens to their streams when their tokens go.

use std::time::{Duration, SystemTime};

use axum::{Router, body::Body};
use http::StatusCode;
use serde_json::{Value, json};
use tooldock::{
    Gateway, ManagerGuard,
    engine::{context::Rights, name::NameChoice},
    http::{Bearer, Cidr, Peer, Token, Tokens},
};

use crate::fixture::{Stream, TOKEN, engine, request, send};

const LIMITED: &str = "the-token-of-somebody-limited";
const MANAGER: &str = "the-token-of-the-manager";

fn all() -> Token {
    Token::new("tester", TOKEN).unwrap()
}

fn limited() -> Token {
    let demo = Rights::default().in_namespaces(NameChoice::parse(["demo"]).unwrap());
    Token::new("limited", LIMITED).unwrap().limited(demo)
}

/// `demo` and `other`, for somebody who may enter both and somebody who may enter one.
fn app(tokens: &Tokens) -> Router {
    let guard = ManagerGuard::new(
        Tokens::new([Token::new("manager", MANAGER).unwrap()]),
        Cidr::new(["10.0.0.0/8".parse().unwrap()]),
    );
    Gateway::builder()
        .namespace("demo", engine())
        .namespace("other", engine())
        .managed(guard)
        .bearer(Bearer::new(tokens.clone()))
        .build()
        .unwrap()
        .router()
}

fn by(token: &str, method: &str, path: &str) -> http::request::Builder {
    let mut request = request(method, path);
    let value = format!("Bearer {token}").parse().unwrap();
    request.headers_mut().unwrap().insert("authorization", value);
    request
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}})
}

/// A session of `token` in `demo`, and a stream of it.
async fn watch(app: &Router, token: &str) -> (http::HeaderValue, Stream) {
    let opening = by(token, "POST", "/demo/mcp").body(Body::from(initialize().to_string()));
    let (status, headers, _) = send(app, opening.unwrap()).await;
    assert_eq!(status, StatusCode::OK);
    let session = headers["mcp-session-id"].clone();
    let watching = by(token, "GET", "/demo/mcp")
        .header("mcp-session-id", session.clone())
        .header("mcp-protocol-version", "2025-11-25");
    (session, Stream::open(app, watching, "").await)
}

/// Whether `stream` ends in time.
async fn ends(stream: &mut Stream) -> bool {
    let end = async { while stream.frame().await.is_some() {} };
    tokio::time::timeout(Duration::from_secs(5), end).await.is_ok()
}

#[tokio::test]
async fn s8_lists_show_only_what_may_be_entered() {
    let app = app(&Tokens::new([all(), limited()]));
    for (token, names) in [(TOKEN, &["demo", "other"][..]), (LIMITED, &["demo"])] {
        for path in ["/namespaces", "/mcp/namespaces", "/mcp/info"] {
            let (_, _, body) = send(&app, by(token, "GET", path).body(Body::empty()).unwrap()).await;
            let listed = body["namespaces"].as_array().unwrap().iter();
            let listed: Vec<_> = listed.map(|line| line["name"].as_str().unwrap()).collect();
            assert_eq!(listed, names, "{path}");
        }
    }
}

#[tokio::test]
async fn s9_a_limited_token_manages_nothing() {
    let demo = NameChoice::parse(["*"]).unwrap();
    for (rights, may) in [
        (Rights::default(), true),
        (Rights::default().calls_only(), false),
        (Rights::default().in_namespaces(demo.clone()), false),
        (Rights::default().with_tools(demo), false),
    ] {
        let app = app(&Tokens::new([all().limited(rights)]));
        for (method, path) in [
            ("GET", "/internal/state"),
            ("GET", "/internal/settings"),
            ("GET", "/internal/namespaces/demo/tools"),
            ("GET", "/internal/namespaces/demo/log"),
            ("POST", "/internal/namespaces/demo/tools/add/test"),
            ("POST", "/reload"),
        ] {
            let managing = by(TOKEN, method, path)
                .header("x-manager-token", MANAGER)
                .extension(Peer::new([10, 1, 2, 3].into()));
            let (status, ..) = send(&app, managing.body(Body::empty()).unwrap()).await;
            assert_eq!(status != StatusCode::FORBIDDEN, may, "{method} {path}: {status}");
        }
    }
}

#[tokio::test]
async fn s3_a_rotated_token_ends_its_sessions_and_streams() {
    let tokens = Tokens::new([all(), limited()]);
    let app = app(&tokens);
    let (session, mut stream) = watch(&app, LIMITED).await;
    let (_, mut other) = watch(&app, TOKEN).await;
    let renewed = "the-new-token-of-somebody-limited";
    tokens.replace([all(), Token::new("limited", renewed).unwrap()]);
    assert!(ends(&mut stream).await);
    let goes_on = tokio::time::timeout(Duration::from_millis(100), async {
        while other.frame().await.is_some() {}
    });
    assert!(goes_on.await.is_err(), "streams of others go on");
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}).to_string();
    for (token, expected) in [(LIMITED, 401), (renewed, 404)] {
        let asking = by(token, "POST", "/demo/mcp")
            .header("mcp-session-id", session.clone())
            .header("mcp-protocol-version", "2025-11-25");
        let (status, ..) = send(&app, asking.body(Body::from(ping.clone())).unwrap()).await;
        assert_eq!(status, expected, "the session is nobody's");
    }
}

#[tokio::test]
async fn s3_a_token_that_expires_ends_its_streams() {
    let soon = SystemTime::now() + Duration::from_millis(300);
    let app = app(&Tokens::new([limited().until(soon)]));
    let (_, mut stream) = watch(&app, LIMITED).await;
    assert!(ends(&mut stream).await);
    let (status, headers, _) = send(
        &app,
        by(LIMITED, "GET", "/demo/tools").body(Body::empty()).unwrap(),
    )
    .await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert!(
        headers["www-authenticate"]
            .to_str()
            .unwrap()
            .contains("invalid_token")
    );
}

/// S108: what tells of every namespace is for somebody who may use all of them.
#[tokio::test]
async fn s108_metrics_need_a_token_without_limits() {
    let app = app(&Tokens::new([all(), limited()]));
    for (token, expected) in [(TOKEN, StatusCode::OK), (LIMITED, StatusCode::FORBIDDEN)] {
        let request = by(token, "GET", "/metrics").body(Body::empty()).unwrap();
        let (status, _, body) = send(&app, request).await;
        assert_eq!(status, expected, "{body}");
    }
}
