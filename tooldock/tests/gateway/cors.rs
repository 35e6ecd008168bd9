//! Web pages of other origins, and probes without a token.

use axum::{Router, body::Body};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tooldock::{
    Gateway,
    http::{Bearer, Cors, HttpSettings, Origins},
};

use crate::fixture::{bearer, engine, request, send};

const CHAT: &str = "https://chat.example.org";

/// A gateway whose answers the pages of `CHAT` may read; they may send requests as `may_send` says.
fn app(may_send: bool) -> Router {
    let chat = || Origins::new([CHAT.to_owned()]);
    let mut http = HttpSettings::new(bearer());
    http.cors = Cors::new(chat());
    if may_send {
        http.origins = chat();
    }
    let builder = Gateway::builder().namespace("demo", engine()).http(http);
    builder.build().unwrap().router()
}

/// A request as a page sends it: without a token.
fn from_page(method: &str, path: &str, origin: &str) -> http::request::Builder {
    let mut request = request(method, path).header("origin", origin);
    request.headers_mut().unwrap().remove("authorization");
    request
}

async fn preflight(app: &Router, path: &str, origin: &str, asked: &str) -> (StatusCode, HeaderMap, Value) {
    let request = from_page("OPTIONS", path, origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", asked);
    send(app, request.body(Body::empty()).unwrap()).await
}

fn list(headers: &HeaderMap, name: &str) -> Vec<String> {
    let text = headers[name].to_str().unwrap();
    text.split(',').map(|part| part.trim().to_owned()).collect()
}

#[tokio::test]
async fn f45_a_preflight_needs_no_token_and_allows_all_that_clients_send() {
    let app = app(true);
    for path in [
        "/demo/mcp",
        "/mcp",
        "/demo/openapi.json",
        "/demo/add",
        "/demo/tools/panics",
        "/nowhere",
    ] {
        let asked = "Mcp-Param-City, x-other, mcp-param-a b, MCP-Param-Zip";
        let (status, headers, body) = preflight(&app, path, CHAT, asked).await;
        assert_eq!((status, body), (StatusCode::NO_CONTENT, Value::Null), "{path}");
        assert_eq!(
            list(&headers, "access-control-allow-methods"),
            ["GET", "POST", "DELETE", "OPTIONS"]
        );
        let allowed = [
            "authorization",
            "content-type",
            "accept",
            "x-namespace",
            "mcp-session-id",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
            "last-event-id",
            "mcp-param-city",
            "mcp-param-zip",
        ];
        assert_eq!(list(&headers, "access-control-allow-headers"), allowed);
        assert_eq!(headers["access-control-allow-origin"], CHAT);
        assert_eq!(headers["vary"], "origin");
        assert!(headers.contains_key("access-control-max-age"));
        assert!(!headers.contains_key("access-control-allow-credentials"));
    }
}

#[tokio::test]
async fn f45_a_page_can_read_why_it_was_refused() {
    let wrong_arguments = r#"{"a":"x"}"#;
    for (may_send, path, token, expected) in [
        (true, "/demo/mcp", false, 401),
        (true, "/demo/tools/add", false, 401),
        (true, "/demo/tools/add", true, 422),
        (true, "/nobody/tools/add", true, 404),
        (true, "/demo/tools/panics", true, 500),
        (false, "/demo/tools/add", true, 403),
        (false, "/demo/mcp", true, 403),
    ] {
        let request = if token {
            request("POST", path).header("origin", CHAT)
        } else {
            from_page("POST", path, CHAT)
        };
        let (status, headers, _) =
            send(&app(may_send), request.body(Body::from(wrong_arguments)).unwrap()).await;
        assert_eq!(status.as_u16(), expected, "{path}");
        assert_eq!(headers["access-control-allow-origin"], CHAT, "{path}");
        let exposed = [
            "mcp-session-id",
            "mcp-protocol-version",
            "www-authenticate",
            "retry-after",
            "x-request-id",
        ];
        assert_eq!(list(&headers, "access-control-expose-headers"), exposed);
    }
}

#[tokio::test]
async fn s20_only_listed_pages_and_those_of_this_machine_may_read() {
    let app = app(true);
    for origin in [CHAT, "http://localhost:3000", "http://127.0.0.1"] {
        let (status, headers, _) = preflight(&app, "/demo/add", origin, "content-type").await;
        assert_eq!(
            (status, &headers["access-control-allow-origin"]),
            (StatusCode::NO_CONTENT, &origin.parse().unwrap())
        );
    }
    for origin in [
        "https://evil.example",
        "https://chat.example.org.evil.example",
        "http://chat.example.org",
        "null",
    ] {
        let (status, headers, body) = preflight(&app, "/demo/add", origin, "content-type").await;
        assert_eq!(
            (status, headers.get("access-control-allow-origin")),
            (StatusCode::FORBIDDEN, None),
            "{origin}"
        );
        assert!(
            body["error"]["message"]
                .as_str()
                .unwrap()
                .contains("CORS_ORIGINS"),
            "{body}"
        );
        assert_eq!(headers["vary"], "origin");
    }
    let plain = request("GET", "/demo/tools").body(Body::empty()).unwrap();
    let (status, headers, _) = send(&app, plain).await;
    assert_eq!(
        (status, headers.get("access-control-allow-origin")),
        (StatusCode::OK, None)
    );
    let vary: Vec<_> = headers.get_all("vary").iter().collect();
    assert!(
        vary.iter().any(|value| *value == "origin"),
        "a cache keeps answers for each origin apart: {vary:?}"
    );
}

#[tokio::test]
async fn s20_what_is_no_preflight_is_answered_by_nobody_in_front() {
    for (origin, method) in [(None, Some("POST")), (Some(CHAT), None), (None, None)] {
        let mut request = request("OPTIONS", "/demo/mcp");
        request.headers_mut().unwrap().remove("authorization");
        for (name, value) in [("origin", origin), ("access-control-request-method", method)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        let (status, headers, _) = send(&app(true), request.body(Body::empty()).unwrap()).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
        assert!(!headers.contains_key("access-control-allow-methods"));
    }
}

#[tokio::test]
async fn f44_probes_end_at_once_and_everything_else_asks_for_a_token() {
    let app = app(true);
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/demo/mcp",
        "/.well-known/oauth-authorization-server",
        "/demo/mcp/.well-known/openid-configuration",
        "/mcp/.well-known/oauth-authorization-server",
        "/demo/.well-known/mcp",
        "/demo/tools/.well-known",
        "/demo/api/config",
        "/api/config",
    ] {
        for method in ["GET", "POST"] {
            let (status, headers, body) = send(
                &app,
                from_page(method, path, CHAT).body(Body::from("{}")).unwrap(),
            )
            .await;
            assert_eq!(
                (status, &body["error"]["code"]),
                (StatusCode::NOT_FOUND, &json!("unsupported")),
                "{method} {path}"
            );
            assert_eq!(headers["access-control-allow-origin"], CHAT, "{path}");
            assert!(!headers.contains_key("www-authenticate"), "{path}");
        }
    }
    for (path, token) in [
        ("/demo/mcp", None),
        ("/demo/add", None),
        ("/demo/openapi.json", Some("wrong-0123456789abcdef")),
    ] {
        let mut request = from_page("POST", path, CHAT);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let (status, headers, body) = send(&app, request.body(Body::from("{}")).unwrap()).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(
            headers["www-authenticate"]
                .to_str()
                .unwrap()
                .starts_with("Bearer realm="),
            "{path}"
        );
        assert!(body["error"]["message"].is_string(), "{body}");
    }
}

#[tokio::test]
async fn s19_every_page_is_allowed_only_where_tokens_are_asked_for() {
    let all = || Origins::new(["*".to_owned()]);
    for (origins, cors) in [(all(), Cors::default()), (Origins::default(), Cors::new(all()))] {
        for (bearer, allowed) in [(bearer(), true), (Bearer::anonymous(), false)] {
            let mut http = HttpSettings::new(bearer);
            (http.origins, http.cors) = (origins.clone(), cors.clone());
            let built = Gateway::builder().namespace("demo", engine()).http(http).build();
            assert_eq!(built.is_ok(), allowed);
            if let Err(error) = built {
                assert!(error.to_string().contains("CORS_ORIGINS"), "{error}");
            }
        }
    }
}
