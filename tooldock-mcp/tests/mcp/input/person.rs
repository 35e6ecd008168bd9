//! A tool that asks, and clients that can answer.

use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};
use tooldock_engine::{
    CallContext, EngineReply, RawJson, StaticEngine, ToolOutput,
    context::{Ask, AskKind},
    output::InputRequired,
};
use tooldock_mcp::{InputLimits, Settings};

use crate::scene::{Events, Got, MODERN, Scene, enveloped, offer, raw, request, tool};

/// What a client that can answer everything declares.
pub(super) fn everything() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
}

pub(super) fn form() -> Value {
    json!({"mode": "form", "message": "Who?", "requestedSchema": {"type": "object", "properties": {}}})
}

pub(super) fn accept() -> Value {
    json!({"action": "accept", "content": {"name": "Ann"}})
}

/// Asks a form under the key `who` and says what was answered.
async fn ask_who(cx: CallContext, _arguments: RawJson) -> tooldock_engine::Result<ToolOutput> {
    let ask = Ask::new(AskKind::ElicitForm, form().into()).with_key("who");
    Ok(ToolOutput::text(cx.client().ask(ask).await?.as_str()))
}

/// Asks three things at once.
async fn ask_all(cx: CallContext, _arguments: RawJson) -> tooldock_engine::Result<ToolOutput> {
    let ask = |kind, params: Value| cx.client().ask(Ask::new(kind, params.into()));
    let (person, model, roots) = tokio::join!(
        ask(AskKind::ElicitForm, form()),
        ask(AskKind::Sample, json!({"messages": [], "maxTokens": 1})),
        ask(AskKind::Roots, json!({})),
    );
    Ok(ToolOutput::text(&format!("{} {} {}", person?, model?, roots?)))
}

/// Asks for a visit to a page.
async fn ask_link(cx: CallContext, _arguments: RawJson) -> tooldock_engine::Result<ToolOutput> {
    let params = json!({"mode": "url", "message": "Go", "url": "https://example.org/"});
    let ask = Ask::new(AskKind::ElicitUrl, params.into());
    Ok(ToolOutput::text(cx.client().ask(ask).await?.as_str()))
}

pub(super) fn scene(limits: InputLimits) -> Scene {
    let engine = StaticEngine::builder()
        .tool(tool("who"), ask_who)
        .tool(tool("all"), ask_all)
        .tool(tool("link"), ask_link)
        .build()
        .unwrap();
    let mut settings = Settings::default();
    settings.input = limits;
    Scene::of(Arc::new(engine), settings)
}

/// Opens a session of a client that declares `capabilities`.
pub(super) async fn open(scene: &Scene, principal: &str, revision: &str, capabilities: Value) -> String {
    let mut offer = offer(revision);
    offer["capabilities"] = capabilities;
    let got = scene
        .ask_as(principal, "demo")
        .post(request(0, "initialize", offer))
        .await;
    got.header("mcp-session-id").unwrap().to_owned()
}

/// Begins a call within a session.
pub(super) async fn begin(scene: &Scene, session: &str, name: &str) -> Events {
    let call = request(1, "tools/call", json!({"name": name}));
    scene.ask().session(session).stream(Method::POST, call).await
}

/// Answers a request of the server.
pub(super) async fn respond(scene: &Scene, session: &str, id: &Value, result: Value) -> Got {
    let response = json!({"jsonrpc": "2.0", "id": id, "result": result});
    scene.ask().session(session).post(response).await
}

/// A modern request of `principal` whose client can answer everything.
pub(super) async fn modern(scene: &Scene, principal: &str, id: i64, method: &str, mut params: Value) -> Got {
    let capabilities = &mut params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    if capabilities.is_null() {
        *capabilities = everything();
    }
    let name = params["name"]
        .as_str()
        .or(params["uri"].as_str())
        .unwrap()
        .to_owned();
    let ask = scene
        .ask_as(principal, "demo")
        .with("mcp-protocol-version", MODERN);
    let ask = ask.with("mcp-method", method).with("mcp-name", &name);
    ask.post(request(id, method, enveloped(params))).await
}

/// The first request of `ann`.
pub(super) async fn call(scene: &Scene, name: &str) -> Value {
    let got = modern(scene, "ann", 1, "tools/call", json!({"name": name})).await;
    got.json()["result"].clone()
}

/// The request of `ann` again, with answers.
pub(super) async fn again(scene: &Scene, name: &str, state: &Value, responses: Value) -> Got {
    let params = json!({"name": name, "requestState": state, "inputResponses": responses});
    modern(scene, "ann", 2, "tools/call", params).await
}

pub(super) fn text(result: &Value) -> &str {
    result["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text: {result}"))
}

pub(super) fn required(requests: &Value, state: Option<&str>) -> EngineReply {
    EngineReply::InputRequired(InputRequired {
        requests: requests.into(),
        state: state.map(raw),
    })
}
