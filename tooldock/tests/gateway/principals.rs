//! Two callers of one namespace, each with a token: what is of one of them is of that one alone.

use axum::{Router, body::Body};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tooldock::{
    CallContext, Gateway, StaticEngine, Tool, ToolOutput,
    engine::context::{Ask, AskKind},
    http::{Bearer, Token, Tokens},
    layers::AuthorizeLayer,
};

use crate::fixture::{request, send};

const ANN: &str = "the-token-of-ann-alone";
const BOB: &str = "the-token-of-bob-alone";

/// `ask`, for everybody, and `diary`, for ann.
fn app() -> Router {
    let ask = async |cx: CallContext, _arguments| {
        let form = json!({"mode": "form", "message": "Who?", "requestedSchema": {"type": "object", "properties": {}}});
        let ask = Ask::new(AskKind::ElicitForm, form.into()).with_key("who");
        Ok(ToolOutput::text(cx.client().ask(ask).await?.as_str()))
    };
    let diary = async |_cx, _arguments| Ok(ToolOutput::text("of ann"));
    let engine = StaticEngine::builder()
        .tool(Tool::new("ask".parse().unwrap()), ask)
        .tool(Tool::new("diary".parse().unwrap()), diary)
        .build()
        .unwrap();
    let tokens = [("ann", ANN), ("bob", BOB)].map(|(name, token)| Token::new(name, token).unwrap());
    let allowed = AuthorizeLayer::new(|caller, _namespace, tool| {
        caller.principal.name() == "ann" || tool.as_str() != "diary"
    });
    let gateway = Gateway::builder()
        .namespace("demo", engine)
        .bearer(Bearer::new(Tokens::new(tokens)))
        .engine_layer(allowed);
    gateway.build().unwrap().router()
}

/// A request of 2026-07-28 with one of the tokens.
async fn ask(app: &Router, token: &str, method: &str, mut params: Value) -> (HeaderMap, Value) {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    });
    let mut asking = of(token, "POST", "/demo/mcp")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = params["name"].as_str() {
        asking = asking.header("mcp-name", name);
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let (status, headers, body) = send(app, asking.body(Body::from(body.to_string())).unwrap()).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    (headers, body)
}

fn of(token: &str, method: &str, path: &str) -> http::request::Builder {
    let mut request = request(method, path);
    let headers = request.headers_mut().unwrap();
    headers.insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}

#[tokio::test]
async fn s42_what_callers_may_see_differs_and_nobody_keeps_it_for_others() {
    let app = app();
    for (token, names) in [(ANN, &["ask", "diary"][..]), (BOB, &["ask"])] {
        let (headers, body) = ask(&app, token, "tools/list", json!({})).await;
        let result = &body["result"];
        let seen: Vec<_> = result["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| &tool["name"])
            .collect();
        assert_eq!(seen, names);
        assert_eq!(
            (&headers["cache-control"], &result["cacheScope"]),
            (&"no-store".parse().unwrap(), &json!("private"))
        );
        for path in ["/demo/tools", "/demo/openapi.json", "/namespaces"] {
            let (status, headers, body) =
                send(&app, of(token, "GET", path).body(Body::empty()).unwrap()).await;
            let kept = headers["cache-control"].to_str().unwrap();
            assert_eq!(status, StatusCode::OK, "{path}: {body}");
            // A page that its own reader may keep is asked for again each time.
            assert!(
                ["no-store", "private, no-cache"].contains(&kept),
                "{path}: {kept}"
            );
            assert_eq!(
                body.to_string().contains("diary"),
                token == ANN && path != "/namespaces",
                "{path}: {body}"
            );
        }
    }
}

#[tokio::test]
async fn s41_what_one_caller_was_asked_no_other_can_answer() {
    let app = app();
    let (headers, asked) = ask(&app, ANN, "tools/call", json!({"name": "ask"})).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    assert_eq!(headers["cache-control"], "no-store");
    let answer = json!({
        "name": "ask",
        "requestState": asked["result"]["requestState"],
        "inputResponses": {"who": {"action": "accept", "content": {}}},
    });
    let (_, refused) = ask(&app, BOB, "tools/call", answer.clone()).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let (_, done) = ask(&app, ANN, "tools/call", answer).await;
    assert_eq!(
        done["result"]["resultType"], "complete",
        "the call of its owner still waits: {done}"
    );
}
