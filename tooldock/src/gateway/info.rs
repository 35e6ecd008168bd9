//! What the gateway and a namespace say about themselves.

use axum::{Extension, body::Body, extract::State, http::Response};
use serde_json::json;
use tooldock_engine::{
    CallContext, Caller, Door, Mounts as _, NamespaceName, context::RequestId, error::Result,
};

use super::routes::{Shared, uncached};
use crate::http::answer;

/// The gateway: its version, what it speaks, its namespaces with their addresses relative to this gateway.
pub(super) async fn gateway(State(shared): State<Shared>) -> Response<Body> {
    let snapshot = shared.registry.snapshot();
    let line = |name: &NamespaceName| json!({"name": name.as_str(), "mcp": format!("{name}/mcp"), "openapi": format!("{name}/openapi.json")});
    uncached(&json!({
        "name": "tooldock",
        "version": env!("CARGO_PKG_VERSION"),
        "protocolVersions": protocol_versions(),
        "namespaces": snapshot.entries().map(|(name, _)| line(name)).collect::<Vec<_>>(),
    }))
}

fn protocol_versions() -> Vec<&'static str> {
    #[cfg(feature = "mcp")]
    return tooldock_mcp::Settings::default()
        .revisions
        .iter()
        .map(tooldock_mcp::Revision::as_str)
        .collect();
    #[cfg(not(feature = "mcp"))]
    Vec::new()
}

/// A namespace: what its author says, how it is, its tools by name.
pub(super) async fn namespace(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    Extension(namespace): Extension<NamespaceName>,
    id: Option<Extension<RequestId>>,
) -> Response<Body> {
    match describe(&shared, caller, &namespace).await {
        Ok(info) => uncached(&info),
        Err(error) => answer(Door::Rest, &error, id.as_deref()),
    }
}

async fn describe(shared: &Shared, caller: Caller, namespace: &NamespaceName) -> Result<serde_json::Value> {
    let mount = shared.registry.mount(&caller, namespace.as_str())?;
    let catalog = mount
        .engine
        .catalog(&CallContext::new(caller, namespace.clone()))
        .await?;
    let about = catalog.about();
    let names: Vec<&str> = catalog.tools().iter().map(|tool| tool.name.as_str()).collect();
    let mut info = json!({"name": namespace.as_str(), "tools": names});
    let said = [
        ("description", &about.description),
        ("version", &about.version),
        ("author", &about.author),
    ];
    for (key, text) in said {
        if let Some(text) = text {
            info[key] = json!(text);
        }
    }
    Ok(info)
}
