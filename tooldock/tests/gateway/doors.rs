//! What the layers in front of the protocols let in, and how they refuse.

use axum::body::Body;
use http::StatusCode;
use serde_json::{Value, json};
use tooldock::http::Route;

use crate::fixture::{TOKEN, gateway, request, send};

/// A modern `tools/call` of `add`.
fn call() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "add", "arguments": {"a": 1.5, "b": 2},
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}})
}

fn modern(path: &str) -> http::request::Builder {
    request("POST", path)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "add")
}

#[tokio::test]
async fn a_namespace_is_found_by_path_and_by_header() {
    let app = gateway().router();
    for (path, header) in [
        ("/demo/mcp", None),
        ("/mcp/demo", None),
        ("/mcp", Some("demo")),
        ("/demo/mcp", Some("demo")),
    ] {
        let mut request = modern(path);
        if let Some(header) = header {
            request = request.header("x-namespace", header);
        }
        let (status, _, body) = send(&app, request.body(Body::from(call().to_string())).unwrap()).await;
        assert_eq!(
            (status, &body["result"]["structuredContent"]["sum"]),
            (StatusCode::OK, &json!(3.5)),
            "{path} {header:?}: {body}"
        );
    }
    for (path, header) in [("/demo/tools/add", None), ("/tools/add", Some("demo"))] {
        let mut request = request("POST", path);
        if let Some(header) = header {
            request = request.header("x-namespace", header);
        }
        let (status, _, body) = send(&app, request.body(Body::from(r#"{"a":1.5,"b":2}"#)).unwrap()).await;
        assert_eq!((status, body), (StatusCode::OK, json!({"sum": 3.5})), "{path}");
    }
}

#[tokio::test]
async fn refusals_say_what_to_do_in_the_form_of_their_door() {
    let app = gateway().router();
    let table: &[(&str, &str, &[(&str, &str)], u16, &str)] = &[
        ("POST", "/tools/add", &[], 400, "X-Namespace"),
        ("POST", "/mcp", &[], 400, "X-Namespace"),
        ("POST", "/demo/mcp", &[("x-namespace", "other")], 400, "other"),
        ("POST", "/none/tools/add", &[], 404, "GET /namespaces"),
        ("POST", "/none/mcp", &[], 404, "GET /namespaces"),
        ("POST", "/NONE/tools/add", &[], 404, "lower-case"),
        ("POST", "/demo/tools/ad", &[], 404, "did you mean `add`"),
        ("GET", "/nowhere", &[], 404, "GET /namespaces"),
        ("PUT", "/health", &[], 405, "Allow"),
        ("POST", "/reload", &[], 403, "X-Manager-Token"),
        (
            "GET",
            "/demo/tools",
            &[("origin", "https://evil.example")],
            403,
            "ALLOWED_ORIGINS",
        ),
        (
            "POST",
            "/demo/mcp",
            &[("origin", "https://evil.example")],
            403,
            "ALLOWED_ORIGINS",
        ),
    ];
    for (method, path, headers, expected, word) in table {
        let mut request = request(method, path);
        for (name, value) in *headers {
            request = request.header(*name, *value);
        }
        let (status, _, body) = send(&app, request.body(Body::from(r#"{"a":1,"b":2}"#)).unwrap()).await;
        assert_eq!(status.as_u16(), *expected, "{method} {path}: {body}");
        let text = body["error"]["message"].as_str().unwrap_or_default();
        assert!(text.contains(word), "{method} {path}: {body}");
        assert_eq!(
            body["jsonrpc"] == "2.0",
            path.contains("mcp"),
            "the form of the door: {method} {path}: {body}"
        );
    }
}

#[tokio::test]
async fn wrong_arguments_are_told_by_place() {
    let app = gateway().router();
    let (status, _, body) = send(
        &app,
        request("POST", "/demo/tools/add")
            .body(Body::from(r#"{"a":"x","b":2}"#))
            .unwrap(),
    )
    .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(body["error"]["code"], "invalid_arguments");
    assert_eq!(
        body["error"]["details"]["errors"][0]["loc"],
        json!(["a"]),
        "{body}"
    );
}

#[tokio::test]
async fn s4_every_route_but_health_asks_for_a_token() {
    let app = gateway().router();
    let below = |route: &Route| {
        if route.namespaced {
            format!("/demo/{}", route.segment)
        } else {
            format!("/{}", route.segment)
        }
    };
    let paths = Route::ALL
        .iter()
        .map(|route| (below(route), route.open))
        .chain([("/nowhere".to_owned(), false), ("/".to_owned(), false)]);
    for (path, open) in paths {
        for method in ["GET", "POST", "DELETE"] {
            let mut request = request(method, &path);
            request.headers_mut().unwrap().remove("authorization");
            let (status, headers, body) = send(&app, request.body(Body::from("{}")).unwrap()).await;
            assert_eq!(
                status == StatusCode::UNAUTHORIZED,
                !open,
                "{method} {path}: {status}"
            );
            assert_eq!(headers.contains_key("www-authenticate"), !open, "{method} {path}");
            assert!(
                open || body["error"]["message"]
                    .as_str()
                    .unwrap()
                    .contains("Authorization: Bearer"),
                "{body}"
            );
        }
    }
}

#[tokio::test]
async fn s18_a_foreign_host_is_refused_before_anything_runs() {
    let app = gateway().router();
    let mut request = request("GET", "/health");
    request
        .headers_mut()
        .unwrap()
        .insert("host", "evil.example".parse().unwrap());
    let (status, _, body) = send(&app, request.body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(
        body["error"]["message"]
            .as_str()
            .unwrap()
            .contains("ALLOWED_HOSTS"),
        "{body}"
    );
}

#[tokio::test]
async fn s23_a_declared_length_over_the_limit_is_refused_unread() {
    let app = gateway().router();
    let body = Body::from_stream(futures_util::stream::poll_fn(
        |_| -> std::task::Poll<Option<Result<bytes::Bytes, std::io::Error>>> { panic!("the body was read") },
    ));
    let request = request("POST", "/demo/tools/add")
        .header("content-length", "5000000")
        .body(body)
        .unwrap();
    let (status, _, body) = send(&app, request).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(
        body["error"]["message"]
            .as_str()
            .unwrap()
            .contains("MAX_BODY_BYTES"),
        "{body}"
    );
}

#[tokio::test]
async fn s26_a_panic_is_one_answer_and_no_more() {
    let app = gateway().router();
    for _ in 0..2 {
        let (status, headers, body) = send(
            &app,
            request("POST", "/demo/tools/panics")
                .body(Body::from("{}"))
                .unwrap(),
        )
        .await;
        assert_eq!(
            (status.as_u16(), &body["error"]["code"]),
            (500, &json!("internal_error"))
        );
        assert!(
            !body.to_string().contains("on purpose") && headers.contains_key("x-request-id"),
            "{body}"
        );
    }
    let (status, ..) = send(
        &app,
        request("POST", "/demo/tools/add")
            .body(Body::from(r#"{"a":1,"b":2}"#))
            .unwrap(),
    )
    .await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn s14_the_credential_goes_no_further_than_the_door() {
    use tooldock::{Gateway, StaticEngine, Tool, ToolOutput};
    let tell = async |cx: tooldock::CallContext, _arguments| Ok(ToolOutput::text(&format!("{cx:?}")));
    let engine = StaticEngine::builder()
        .tool(Tool::new("tell".parse().unwrap()), tell)
        .build()
        .unwrap();
    let app = Gateway::builder()
        .namespace("demo", engine)
        .bearer(crate::fixture::bearer())
        .build()
        .unwrap()
        .router();
    let (status, _, body) = send(
        &app,
        request("POST", "/demo/tools/tell")
            .body(Body::from("{}"))
            .unwrap(),
    )
    .await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        body.to_string().contains("tester") && !body.to_string().contains(TOKEN),
        "{body}"
    );
}

#[tokio::test]
async fn the_whole_can_be_nested_below_a_prefix() {
    let app = axum::Router::new().nest("/tooldock", gateway().router());
    let (status, _, body) = send(
        &app,
        request("POST", "/tooldock/demo/tools/add")
            .body(Body::from(r#"{"a":1,"b":2}"#))
            .unwrap(),
    )
    .await;
    assert_eq!((status, body), (StatusCode::OK, json!({"sum": 3.0})));
}

#[tokio::test]
async fn a_gateway_that_cannot_be_built_names_every_mistake() {
    use std::{sync::Arc, time::Duration};
    use tooldock::{Gateway, engine::LayerStack, layers::PanicLayer, registry::Registry};
    let registry = Arc::new(Registry::new(LayerStack::new(), Duration::from_secs(1)));
    let builder = Gateway::builder()
        .namespace("mcp", crate::fixture::engine())
        .namespace("demo", crate::fixture::engine())
        .namespace("demo", crate::fixture::engine())
        .registry(registry)
        .engine_layer(PanicLayer::new());
    let mistakes = builder.build().expect_err("there are four mistakes").to_string();
    for word in [
        "`mcp` is reserved",
        "`demo` is mounted twice",
        "`engine_layer`, `layers` and `drain`",
        "nobody guards the door",
    ] {
        assert!(mistakes.contains(word), "{word} is missing in:\n{mistakes}");
    }
}

#[tokio::test]
async fn where_no_token_is_asked_for_not_every_page_may_call() {
    use tooldock::{
        Gateway,
        http::{Bearer, HttpSettings, Origins},
    };
    for (bearer, builds) in [
        (Bearer::anonymous(), false),
        (Bearer::by_host(), false),
        (crate::fixture::bearer(), true),
    ] {
        let mut http = HttpSettings::new(bearer);
        http.origins = Origins::new(["*".to_owned()]);
        assert_eq!(Gateway::builder().http(http).build().is_ok(), builds);
    }
}

#[tokio::test]
async fn a_layer_of_ones_own_stands_outside_those_that_are_there() {
    use tooldock::{
        EngineExt as _, Gateway,
        http::Bearer,
        layers::{AuditLayer, CallRecord},
    };
    let (tell, told) = std::sync::mpsc::sync_channel(2);
    let audit = AuditLayer::new(move |record: &CallRecord<'_>| {
        tell.try_send(record.outcome.label()).unwrap();
    });
    let gateway = Gateway::builder()
        .namespace("demo", crate::fixture::engine())
        .engine_layer(audit)
        .bearer(Bearer::anonymous())
        .build()
        .unwrap();
    let cx = tooldock::CallContext::new(tooldock::Caller::local(), "demo".parse().unwrap());
    let mount = tooldock::engine::Mounts::mount(&**gateway.registry(), cx.caller(), "demo").unwrap();
    let arguments = tooldock::RawJson::from(serde_json::json!({"a": "no number"}));
    mount.engine.call_tool(cx, "add", arguments).await.unwrap_err();
    assert_eq!(
        told.try_recv().unwrap(),
        "invalid_arguments",
        "validation is further in"
    );
}

#[tokio::test]
async fn s15_wrong_tokens_of_one_address_are_slowed_and_right_ones_are_not() {
    use tooldock::http::Peer;
    let app = gateway().router();
    let ask = async |token: &str, last: u8| {
        let mut request = request("GET", "/demo/tools").extension(Peer::new([192, 0, 2, last].into()));
        let value = format!("Bearer {token}").parse().unwrap();
        request.headers_mut().unwrap().insert("authorization", value);
        let (status, headers, body) = send(&app, request.body(Body::empty()).unwrap()).await;
        (status.as_u16(), headers.get("retry-after").cloned(), body)
    };
    for n in 0..20 {
        assert_eq!(ask("a-wrong-token-of-somebody", 7).await.0, 401, "{n}");
    }
    let (status, wait, body) = ask("a-wrong-token-of-somebody", 7).await;
    let wait: u64 = wait.unwrap().to_str().unwrap().parse().unwrap();
    assert!(
        status == 429 && (1..=60).contains(&wait),
        "{status} {wait} {body}"
    );
    assert!(body.to_string().contains("AUTH_FAILURES_PER_MINUTE"), "{body}");
    assert_eq!(ask(TOKEN, 7).await.0, 200);
    assert_eq!(ask("a-wrong-token-of-somebody", 8).await.0, 401);
}

#[tokio::test]
async fn s15_a_stranger_is_answered_before_his_body_is_read() {
    let app = gateway().router();
    let body = Body::from_stream(futures_util::stream::poll_fn(
        |_| -> std::task::Poll<Option<Result<bytes::Bytes, std::io::Error>>> { panic!("the body was read") },
    ));
    let mut request = request("POST", "/demo/tools/add");
    request.headers_mut().unwrap().remove("authorization");
    let (status, ..) = send(&app, request.body(body).unwrap()).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn s16_a_reload_looks_at_the_connection_whatever_a_proxy_says() {
    use tooldock::{
        Gateway, ManagerGuard,
        http::{Cidr, HttpSettings, Peer, Proxies, Token, Tokens},
    };
    let range = || "10.0.0.0/8".parse().unwrap();
    let mut http = HttpSettings::new(crate::fixture::bearer());
    http.proxies = Proxies::new([range()]);
    let manager = Tokens::new([Token::new("manager", "the-token-of-the-manager").unwrap()]);
    let guard = ManagerGuard::new(manager, Cidr::new([range()]));
    let app = Gateway::builder()
        .http(http)
        .managed(guard)
        .build()
        .unwrap()
        .router();
    for (peer, forwarded, expected) in [
        ([10, 0, 0, 1], "192.0.2.7", 200),
        ([192, 0, 2, 7], "10.0.0.1", 403),
    ] {
        let asking = request("GET", "/internal/state")
            .header("x-manager-token", "the-token-of-the-manager")
            .header("x-forwarded-for", forwarded)
            .extension(Peer::new(peer.into()));
        let (status, _, body) = send(&app, asking.body(Body::empty()).unwrap()).await;
        assert_eq!(status.as_u16(), expected, "{peer:?} {forwarded}: {body}");
    }
}

#[tokio::test]
async fn s23_bodies_share_what_there_is() {
    use tooldock::http::HttpSettings;
    let mut http = HttpSettings::new(crate::fixture::bearer());
    http.max_body_bytes = 1000;
    http.max_bodies_bytes = 1000;
    let app = tooldock::Gateway::builder()
        .namespace("demo", crate::fixture::engine())
        .http(http)
        .build()
        .unwrap()
        .router();
    // One body that has begun and never ends takes 900 bytes.
    let begun = Body::from_stream(futures_util::StreamExt::chain(
        futures_util::stream::iter([Ok::<_, std::io::Error>(vec![b' '; 900])]),
        futures_util::stream::pending(),
    ));
    let holding = tokio::spawn(tower::ServiceExt::oneshot(
        app.clone(),
        request("POST", "/demo/tools/add").body(begun).unwrap(),
    ));
    let call = async || {
        let text = format!(r#"{{"a":1,"b":2}}{}"#, " ".repeat(200));
        let request = request("POST", "/demo/tools/add").body(Body::from(text)).unwrap();
        send(&app, request).await
    };
    let (status, headers, body) = loop {
        let answer = call().await;
        if answer.0 != StatusCode::OK {
            break answer;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        headers.contains_key("retry-after") && body.to_string().contains("MAX_BODIES_BYTES"),
        "{body}"
    );
    holding.abort();
    holding.await.unwrap_err();
    assert_eq!(call().await.0, StatusCode::OK);
}
