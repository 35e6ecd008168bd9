//! The client side: what it sends, what it never sends, and what it makes of a server that is not kind.

use std::time::Duration;

use axum::{
    Router,
    body::{Body, Bytes},
    routing::any,
};
use futures_util::{StreamExt as _, stream};
use http::Method;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};
use tooldock_engine::{RawJson, json::ScanLimits};
use tooldock_mcp::{
    Settings,
    upstream::{Upstream, UpstreamError, UpstreamSettings},
};

use crate::{
    lifetimes::said,
    peer::Peer,
    scene::{HANDSHAKE, Scene, catalog, enveloped, mock, offer, progress, request, soon},
    scripted::{Server, accepted, answered, opened, opened_session, result},
};

fn message(value: Value) -> RawJson {
    RawJson::scan(value.to_string(), ScanLimits::MESSAGE).unwrap()
}

fn call(id: i64) -> RawJson {
    message(request(
        id,
        "tools/call",
        enveloped(json!({"name": "t", "arguments": {"region": "eu"}})),
    ))
}

/// The last thing that is said to a message.
async fn outcome(upstream: &Upstream, sent: RawJson) -> Result<Value, UpstreamError> {
    let mut incoming = upstream.send(sent).await?;
    let mut last = None;
    while let Some(message) = incoming.next().await {
        last = Some(message?);
    }
    Ok(last.map(|last| last.parse().unwrap()).unwrap_or_default())
}

/// Opens a session.
async fn open(upstream: &Upstream) {
    let initialize = message(request(0, "initialize", offer(HANDSHAKE)));
    let answer = outcome(upstream, initialize).await.unwrap();
    assert_eq!(answer["result"], opened());
}

#[tokio::test]
async fn both_directions_pass_in_both_eras() {
    for modern in [false, true] {
        let engine = mock(&["t"]);
        let scene = Scene::of(engine.clone(), Settings::default());
        let server = Server::real(&scene).await;
        let mut peer = Peer::across(server.client());
        let dress = |params| if modern { enveloped(params) } else { params };
        if modern {
            let wanted = dress(json!({"notifications": {"toolsListChanged": true}}));
            let first = peer.ask(9, "subscriptions/listen", wanted).await;
            assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
        } else {
            peer.open().await;
        }
        let params = dress(json!({"name": "t", "_meta": {"progressToken": "p"}}));
        peer.write(request(1, "tools/call", params)).await;
        let running = engine.next().await;
        running.cx.client().notify(progress(1));
        assert_eq!(peer.read().await["params"]["progressToken"], "p");
        running.answer(Ok(said("done")));
        assert_eq!(peer.read().await["result"]["content"][0]["text"], "done");
        engine.change(catalog(&["t", "u"]));
        assert_eq!(
            peer.read().await["method"],
            "notifications/tools/list_changed",
            "modern: {modern}"
        );
    }
}

#[tokio::test]
async fn f24_a_cancelled_call_ends_at_the_server_and_is_not_answered() {
    for modern in [false, true] {
        let engine = mock(&["t"]);
        let scene = Scene::of(engine.clone(), Settings::default());
        let server = Server::real(&scene).await;
        let mut peer = Peer::across(server.client());
        let dress = |params| if modern { enveloped(params) } else { params };
        if !modern {
            peer.open().await;
        }
        peer.write(request(1, "tools/call", dress(json!({"name": "t"}))))
            .await;
        let mut running = engine.next().await;
        let params = dress(json!({"requestId": 1}));
        peer.write(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
            .await;
        running.abandoned().await;
        assert_eq!(
            peer.ask(2, "tools/list", dress(json!({}))).await["id"],
            2,
            "modern: {modern}"
        );
    }
}

#[tokio::test]
async fn f01_a_session_that_the_server_forgot_is_opened_again_and_nobody_is_asked_twice() {
    let engine = mock(&["t"]);
    let scene = Scene::of(engine.clone(), Settings::default());
    let server = Server::real(&scene).await;
    let mut peer = Peer::across(server.client());
    peer.open().await;
    assert_eq!(peer.ask(1, "ping", json!({})).await["id"], 1);
    scene.server.sessions().clear().await;
    // Both meet the session that is gone; one of them opens the other.
    peer.write(request(2, "tools/call", json!({"name": "t"}))).await;
    peer.write(request(3, "ping", json!({}))).await;
    soon(engine.next()).await.answer(Ok(said("again")));
    let told = [peer.read().await, peer.read().await, peer.read().await];
    assert!(
        told.iter()
            .any(|told| told["result"]["content"][0]["text"] == "again"),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|told| told["method"] == "notifications/tools/list_changed"),
        "what changed meanwhile was not heard: {told:?}"
    );
    assert_eq!(scene.server.sessions().count().await, 1, "one was opened");
}

#[tokio::test]
async fn what_a_client_has_set_counts_in_the_session_that_is_opened_again() {
    let server = Server::scripted(
        |seen, _| match (seen.method.as_str(), seen.body["method"].as_str()) {
            ("POST", Some("initialize")) => opened_session(seen, "s"),
            ("POST", Some("ping")) => answered(404, "text/plain", ""),
            ("POST", Some(method)) if method.starts_with("notifications/") => accepted(),
            ("POST", _) => result(seen, json!({})),
            _ => answered(405, "text/plain", ""),
        },
    )
    .await;
    let upstream = server.client();
    let send =
        |id: i64, method: &str, params: Value| outcome(&upstream, message(request(id, method, params)));
    open(&upstream).await;
    for (id, level) in [(1, "debug"), (2, "error")] {
        send(id, "logging/setLevel", json!({"level": level}))
            .await
            .unwrap();
    }
    for (id, method, uri) in [
        (3, "resources/subscribe", "note://a"),
        (4, "resources/subscribe", "note://b"),
        (6, "resources/unsubscribe", "note://b"),
    ] {
        send(id, method, json!({"uri": uri})).await.unwrap();
    }
    let before = server.seen().len();
    send(5, "ping", json!({})).await.ok();
    let told: Vec<Value> = server.seen()[before..]
        .iter()
        .map(|seen| seen.body.clone())
        .collect();
    let methods: Vec<&str> = told.iter().filter_map(|body| body["method"].as_str()).collect();
    assert_eq!(
        methods,
        [
            "ping",
            "initialize",
            "notifications/initialized",
            "logging/setLevel",
            "resources/subscribe",
            "ping"
        ]
    );
    assert_eq!(
        (&told[3]["params"]["level"], &told[4]["params"]["uri"]),
        (&json!("error"), &json!("note://a"))
    );
}

#[tokio::test]
async fn f57_a_call_whose_connection_breaks_is_not_repeated() {
    let server = Server::scripted(|_, _| {
        let cut = stream::iter([Ok(": open\n\n"), Err(std::io::Error::other("cut"))]);
        answered(200, "text/event-stream", Body::from_stream(cut))
    })
    .await;
    let error = outcome(&server.client(), call(1)).await.unwrap_err();
    assert!(matches!(error, UpstreamError::Lost { .. }), "{error:?}");
    assert!(
        error.to_string().contains("unknown") && error.to_string().contains("not repeated"),
        "{error}"
    );
    assert_eq!(server.count("tools/call"), 1);
    let mut peer = Peer::across(server.client());
    peer.write(request(7, "tools/call", enveloped(json!({"name": "t"}))))
        .await;
    let told = peer.read().await;
    assert_eq!(
        (&told["id"], &told["error"]["code"]),
        (&json!(7), &json!(-32_603))
    );
    assert_eq!(server.count("tools/call"), 2);
}

#[tokio::test]
async fn a_broken_stream_of_a_session_is_taken_up_behind_what_was_read() {
    let server = Server::scripted(
        |seen, _| match (seen.method.as_str(), seen.body["method"].as_str()) {
            (_, Some("initialize")) => opened_session(seen, "s1"),
            (_, Some(_)) => answered(200, "text/event-stream", "id: e1\nretry: 20\ndata:\n\n"),
            ("GET", _) if seen.headers["last-event-id"] == "e1" => answered(
                200,
                "text/event-stream",
                "id: e2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n",
            ),
            _ => {
                let text = "data: no json\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}\n\n";
                answered(200, "text/event-stream", text)
            }
        },
    )
    .await;
    let upstream = server.client();
    open(&upstream).await;
    let mut incoming = upstream
        .send(message(request(5, "tools/call", json!({"name": "t"}))))
        .await
        .unwrap();
    let mut heard = Vec::new();
    while let Some(message) = incoming.next().await {
        heard.push(message.unwrap().parse::<Value>().unwrap());
    }
    assert_eq!(heard.len(), 2, "f43: what is no message is skipped: {heard:?}");
    assert_eq!((&heard[0]["method"], &heard[1]["id"]), (&json!("x"), &json!(5)));
    let gets: Vec<_> = server
        .seen()
        .into_iter()
        .filter(|seen| seen.method == Method::GET)
        .collect();
    let last: Vec<_> = gets
        .iter()
        .map(|seen| seen.headers["last-event-id"].to_str().unwrap())
        .collect();
    assert_eq!(last, ["e1", "e2"]);
    assert!(
        gets.iter().all(|seen| seen.headers["mcp-session-id"] == "s1"
            && seen.headers["mcp-protocol-version"] == HANDSHAKE)
    );
    assert_eq!(server.count("tools/call"), 1);
}

#[tokio::test]
async fn s29_a_redirect_keeps_to_its_origin_and_takes_the_token_nowhere_else() {
    let other = Server::scripted(|seen, _| result(seen, json!({}))).await;
    let place = other.url.clone();
    let server = Server::scripted(move |seen, uri| {
        let to = match uri.path() {
            "/" => "/moved".to_owned(),
            "/moved" if seen.body["id"] == 1 => return result(seen, json!({"moved": true})),
            "/moved" => place.clone(),
            _ => "/".to_owned(),
        };
        let mut redirect = answered(307, "text/plain", "");
        redirect.headers_mut().insert("location", to.parse().unwrap());
        redirect
    })
    .await;
    let upstream = server.client();
    assert_eq!(
        outcome(&upstream, call(1)).await.unwrap()["result"]["moved"],
        true
    );
    let error = outcome(&upstream, call(2)).await.unwrap_err();
    assert!(
        matches!(error, UpstreamError::Refused { status: 307, .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("redirects"), "{error}");
    assert!(other.seen().is_empty(), "{:?}", other.seen());
    assert!(!error.to_string().contains("canary"));
}

#[tokio::test]
async fn s40_a_call_that_misses_a_header_is_sent_again_once_the_tools_are_known() {
    let server = Server::scripted(|seen, _| match seen.body["method"].as_str() {
        Some("tools/list") => {
            let property = |name: &str| json!({"type": "string", "x-mcp-header": name});
            let schema = json!({"type": "object", "properties": {"region": property("Region")}});
            let broken = json!({"type": "object", "properties": {"region": property("a b")}});
            let tools =
                json!([{"name": "broken", "inputSchema": broken}, {"name": "t", "inputSchema": schema}]);
            result(seen, json!({"tools": tools, "resultType": "complete"}))
        }
        _ if seen.headers.contains_key("mcp-param-region") => result(seen, json!({"ok": true})),
        _ => {
            let error =
                json!({"jsonrpc": "2.0", "id": seen.body["id"], "error": {"code": -32_020, "message": "m"}});
            answered(400, "application/json", error.to_string())
        }
    })
    .await;
    let upstream = server.client();
    assert_eq!(outcome(&upstream, call(1)).await.unwrap()["result"]["ok"], true);
    assert_eq!(outcome(&upstream, call(2)).await.unwrap()["result"]["ok"], true);
    assert_eq!(
        (server.count("tools/call"), server.count("tools/list")),
        (3, 1),
        "known from then on"
    );
    let list = message(request(3, "tools/list", enveloped(json!({}))));
    let listed = outcome(&upstream, list).await.unwrap();
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 1, "{listed}");
    let unknown = message(request(4, "tools/call", enveloped(json!({"name": "u"}))));
    assert_eq!(
        outcome(&upstream, unknown).await.unwrap()["error"]["code"],
        -32_020,
        "an answer, after one more try"
    );
    assert_eq!(server.count("tools/call"), 5);
}

#[tokio::test]
async fn a_server_that_is_away_is_told_of_and_reached_once_it_is_back() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let mut settings = UpstreamSettings::new(format!("http://{address}/?key=canary").parse().unwrap());
    settings.patience = Duration::ZERO;
    let mut peer = Peer::across(Upstream::new(settings).unwrap());
    let told = peer.ask(1, "server/discover", enveloped(json!({}))).await;
    let text = told["error"]["message"].as_str().unwrap();
    assert!(
        text.contains(&address.to_string()) && text.contains("cannot be reached"),
        "{told}"
    );
    assert!(!text.contains("canary"), "{told}");
    let listener = TcpListener::bind(address).await.unwrap();
    let app = Router::new().fallback(any(|body: Bytes| async move {
        let body: Value = serde_json::from_slice(&body).unwrap();
        axum::Json(json!({"jsonrpc": "2.0", "id": body["id"], "result": opened()}))
    }));
    let mut tasks = JoinSet::new();
    tasks.spawn(async { axum::serve(listener, app).await.unwrap() });
    let reached = peer.ask(2, "initialize", offer(HANDSHAKE)).await;
    assert_eq!(reached["result"], opened());
}

#[tokio::test]
async fn refusals_become_errors_of_the_request_that_was_refused() {
    for (status, body, code, words) in [
        (401, "", -32_603, "wants a token"),
        (404, "<html>", -32_603, "nothing at this address"),
        (500, "{broken", -32_603, "status 500"),
        (
            400,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"plain"}}"#,
            -32_600,
            "plain",
        ),
        (200, "[1]", -32_603, "does not keep to the protocol"),
        (
            200,
            r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
            -32_603,
            "does not keep to the protocol",
        ),
    ] {
        let server = Server::scripted(move |_, _| answered(status, "application/json", body)).await;
        let mut peer = Peer::across(server.client());
        let told = peer.ask(1, "tools/list", enveloped(json!({}))).await;
        assert_eq!(
            (&told["id"], &told["error"]["code"]),
            (&json!(1), &json!(code)),
            "{told}"
        );
        assert!(
            told["error"]["message"].as_str().unwrap().contains(words),
            "{told}"
        );
    }
}

#[tokio::test]
async fn s111_what_a_server_may_send_is_bounded_and_its_silence_too() {
    let server = Server::scripted(|seen, _| match seen.body["id"].as_i64() {
        Some(1) => answered(200, "application/json", "[".repeat(5000)),
        Some(2) => answered(
            200,
            "text/event-stream",
            Body::from_stream(stream::repeat("data: x\n").map(Ok::<_, std::io::Error>)),
        ),
        _ => answered(
            200,
            "text/event-stream",
            Body::from_stream(stream::pending::<std::io::Result<Bytes>>().boxed()),
        ),
    })
    .await;
    let mut settings = server.settings();
    settings.message_bytes = 4096;
    settings.silence = Duration::from_millis(200);
    let upstream = Upstream::new(settings).unwrap();
    for id in [1, 2] {
        let error = outcome(&upstream, call(id)).await.unwrap_err();
        assert!(
            error.to_string().contains("4096 bytes (CONNECT_MESSAGE_BYTES)"),
            "{id}: {error}"
        );
    }
    let error = outcome(&upstream, call(3)).await.unwrap_err();
    assert!(matches!(error, UpstreamError::Silent { .. }), "{error:?}");
}

#[tokio::test]
async fn f58_what_a_server_asks_reaches_the_client_and_its_answer_the_server() {
    let server = Server::scripted(|seen, _| match seen.body["method"].as_str() {
        Some("initialize") => result(seen, opened()),
        Some("tools/call") => {
            let params = json!({"message": "m", "requestedSchema": {"type": "object", "properties": {}}});
            let ask = request("q", "elicitation/create", params);
            let done = json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}});
            answered(
                200,
                "text/event-stream",
                format!("data: {ask}\n\ndata: {done}\n\n"),
            )
        }
        _ if seen.method == Method::GET => answered(405, "text/plain", ""),
        _ => accepted(),
    })
    .await;
    let mut peer = Peer::across(server.client());
    peer.open().await;
    peer.write(request(1, "tools/call", json!({"name": "t"}))).await;
    let asked = peer.read().await;
    assert_eq!(
        (&asked["id"], &asked["method"]),
        (&json!("q"), &json!("elicitation/create"))
    );
    assert_eq!(peer.read().await["id"], 1);
    let yes = json!({"jsonrpc": "2.0", "id": "q", "result": {"action": "accept"}});
    peer.write(yes.clone()).await;
    peer.ask(2, "tools/call", json!({"name": "t"})).await;
    assert!(
        server.seen().iter().any(|seen| seen.body == yes),
        "{:?}",
        server.seen()
    );
}

#[tokio::test]
async fn a_subscription_that_breaks_is_asked_for_again_and_what_was_missed_is_told() {
    let server = Server::scripted(|seen, _| {
        let meta = json!({"io.modelcontextprotocol/subscriptionId": seen.body["id"]});
        let params = json!({"_meta": meta, "notifications": {"toolsListChanged": true}});
        let event =
            json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params});
        answered(200, "text/event-stream", format!("data: {event}\n\n"))
    })
    .await;
    let mut peer = Peer::across(server.client());
    let wanted = enveloped(json!({"notifications": {"toolsListChanged": true}}));
    let acknowledged = peer.ask(3, "subscriptions/listen", wanted).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    let told = peer.read().await;
    let meta = json!({"io.modelcontextprotocol/subscriptionId": 3});
    assert_eq!(
        (&told["method"], &told["params"]["_meta"]),
        (&json!("notifications/tools/list_changed"), &meta)
    );
    assert_eq!(server.count("subscriptions/listen"), 2);
}
