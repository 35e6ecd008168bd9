//! The conversation: progress, logs, a cancelled call, and a tool that appears because a file is dropped.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, LoggingLevel, ProtocolVersion,
    RequestMetaObject, ServerResult, SetLevelRequestParams, SubscriptionFilter,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, Subscription};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{Client, describe};

/// What may fail in any way.
pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// How long something may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// Has the conversation with the namespace whose files are in `folder`.
pub(crate) async fn talk(client: &Client, folder: &Path) -> Outcome<Value> {
    let mut changes = listen(client).await?;
    let counted = call(client, "count", json!({"steps": 1})).await?;
    client.service().take_progress();
    call(client, "count", json!({"steps": 2})).await?;
    let progress = client.service().take_progress();
    let logs = client.service().logs();
    let cancelled = cancel_one(client).await?;
    let dropped = format!("dropped_{}", std::process::id());
    let text = format!(
        "from tooldock import tool\n\n\n@tool\ndef {dropped}() -> int:\n    \"\"\"One.\"\"\"\n    return 1\n"
    );
    fs::write(folder.join(format!("{dropped}.py")), text)?;
    match &mut changes {
        Some(changes) => drop(timeout(PATIENCE, changes.next()).await??),
        None => timeout(PATIENCE, client.service().changed()).await?,
    }
    let listed = client.list_all_tools().await?;
    Ok(json!({
        "counted": describe(counted),
        "progress": progress,
        "logs": logs,
        "cancelled": cancelled,
        "changed": listed.iter().any(|tool| tool.name == dropped),
    }))
}

/// Asks for logs of every level and for changes, where the connection has a place for that.
async fn listen(client: &Client) -> Outcome<Option<Subscription>> {
    if is_modern(client) {
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        return Ok(Some(client.listen(filter).await?));
    }
    client
        .set_level(SetLevelRequestParams::new(LoggingLevel::Debug))
        .await?;
    Ok(None)
}

fn is_modern(client: &Client) -> bool {
    let info = client.peer_info();
    info.is_some_and(|info| info.protocol_version >= ProtocolVersion::V_2026_07_28)
}

/// Begins a call; in the revision without sessions it says itself which logs it wants.
async fn begin(client: &Client, tool: &'static str, arguments: Value) -> Outcome<RequestHandle<RoleClient>> {
    let mut params = CallToolRequestParams::new(tool);
    params.arguments = arguments.as_object().cloned();
    let mut options = PeerRequestOptions::no_options();
    if is_modern(client) {
        let mut meta = RequestMetaObject::default();
        meta.set_log_level(LoggingLevel::Debug);
        options.meta = Some(meta);
    }
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    Ok(client.send_cancellable_request(request, options).await?)
}

async fn call(client: &Client, tool: &'static str, arguments: Value) -> Outcome<CallToolResult> {
    match begin(client, tool, arguments).await?.await_response().await? {
        ServerResult::CallToolResult(result) => Ok(result),
        other => Err(format!("no result of a tool: {other:?}").into()),
    }
}

/// Whether the tool noticed that its call was cancelled.
async fn cancel_one(client: &Client) -> Outcome<bool> {
    let name = json!({"name": std::process::id().to_string()});
    while timeout(Duration::ZERO, client.service().advanced()).await.is_ok() {}
    let waiting = begin(client, "wait", name.clone()).await?;
    timeout(PATIENCE, client.service().advanced()).await?;
    waiting.cancel(None).await?;
    timeout(PATIENCE, async {
        loop {
            let seen = describe(call(client, "was_cancelled", name.clone()).await?);
            if seen["structured"]["result"] == true {
                return Ok(true);
            }
        }
    })
    .await?
}
