//! The Rust SDK of the protocol against one gateway: `interop-rmcp URL TOKEN MODE [NAMESPACE [ERRAND]]`.
//!
//! MODE is `initialize` (handshake), `discover` (no handshake) or `auto` (probe, then fall back). NAMESPACE, when
//! given, travels as a header. ERRAND, in place of listing and calling, is `visit` (resources, prompts, completion,
//! questions), `fetch` (a call whose stream somebody cuts), or the folder of that namespace for a conversation.
//! One JSON line on standard output tells what the client saw.
#![allow(
    clippy::print_stdout,
    reason = "the report on standard output is what the program is for"
)]
#![allow(
    deprecated,
    reason = "logs are deprecated in the protocol and still part of it"
)]

mod listener; // what arrives between a request and its answer
mod talk; // the conversation
mod visit; // resources, prompts, completion, questions

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use http::{HeaderName, HeaderValue};
use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion};
use rmcp::service::{RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};

use listener::Listener;

type Client = RunningService<RoleClient, Listener>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, token, mode, more @ ..] = arguments.as_slice() else {
        return Err("usage: interop-rmcp URL TOKEN MODE [NAMESPACE [ERRAND]]".into());
    };
    let transport = StreamableHttpClientTransport::from_config(
        StreamableHttpClientTransportConfig::with_uri(url.as_str())
            .auth_header(token.as_str())
            .custom_headers(headers(more.first())?),
    );
    let client = Listener::default()
        .serve_with_lifecycle(transport, lifecycle(mode)?)
        .await?;
    let mut seen = match more.get(1).map(String::as_str) {
        Some("visit") => visit::visit(&client).await?,
        Some("fetch") => visit::fetch(&client).await?,
        Some(folder) => talk::talk(&client, Path::new(folder)).await?,
        None => report(&client).await?,
    };
    let info = client.peer_info().ok_or("the server said nothing of itself")?;
    seen["client"] = json!("rmcp");
    seen["mode"] = json!(mode);
    seen["protocol"] = json!(info.protocol_version);
    println!("{seen}");
    client.cancel().await?;
    Ok(())
}

/// The header that names the namespace where the URL does not.
fn headers(namespace: Option<&String>) -> Result<HashMap<HeaderName, HeaderValue>, Box<dyn Error>> {
    let name = HeaderName::from_static("x-namespace");
    namespace
        .map(|value| Ok((name, HeaderValue::from_str(value)?)))
        .into_iter()
        .collect()
}

/// How the connection begins.
fn lifecycle(mode: &str) -> Result<ClientLifecycleMode, String> {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    Ok(match mode {
        "initialize" => ClientLifecycleMode::Initialize,
        "discover" => ClientLifecycleMode::Discover { preferred_versions },
        "auto" => ClientLifecycleMode::Auto {
            preferred_versions,
            legacy_version: None,
        },
        other => return Err(format!("no mode `{other}`: use initialize, discover or auto")),
    })
}

/// Lists and calls, and gathers what was seen.
async fn report(client: &Client) -> Result<Value, Box<dyn Error>> {
    let tools = client.list_all_tools().await?;
    let mut names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    names.sort_unstable();
    Ok(json!({
        "tools": names,
        "hello": call(client, "say_hello", json!({"name": "Ada"})).await?,
        "add": call(client, "add", json!({"a": 1.5, "b": 2})).await?,
        "raises": call(client, "fail", json!({"reason": "on purpose"})).await?,
        "bad_arguments": call(client, "add", json!({"a": "one", "b": 2})).await?,
        "unknown": call(client, "no_such_tool", json!({})).await?,
    }))
}

/// One call as either a tool result or the protocol error in its place.
async fn call(client: &Client, tool: &'static str, arguments: Value) -> Result<Value, ServiceError> {
    let mut request = CallToolRequestParams::new(tool);
    request.arguments = arguments.as_object().cloned();
    let result = match client.call_tool(request).await {
        Ok(result) => result,
        Err(ServiceError::McpError(error)) => {
            return Ok(json!({"code": error.code.0, "message": error.message}));
        }
        Err(error) => return Err(error),
    };
    Ok(describe(result))
}

/// A result as the tests compare it.
fn describe(result: CallToolResult) -> Value {
    let text: Vec<_> = result
        .content
        .iter()
        .filter_map(|block| Some(block.as_text()?.text.as_str()))
        .collect();
    let mut seen = json!({"isError": result.is_error == Some(true), "text": text.join("\n")});
    if let Some(structured) = result.structured_content {
        seen["structured"] = structured;
    }
    seen
}
