//! What the gateway and a namespace say about themselves.

use std::sync::Arc;

use axum::{Extension, body::Body, extract::State, http::Response};
use serde_json::json;
use tooldock_engine::{
    CallContext, Caller, Catalog, Door, Mounts as _, NamespaceName, context::RequestId, error::Result,
};

use super::routes::{Shared, uncached};
use crate::http::answer;

/// The gateway: its version, what it speaks, the namespaces that the caller may enter with their addresses relative to this gateway.
pub(super) async fn gateway(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
) -> Response<Body> {
    let (snapshot, rights) = (shared.registry.snapshot(), caller.principal.rights());
    let names = snapshot.entries().map(|(name, _)| name);
    let own = names.filter(|name| rights.may_enter(name.as_str()));
    let line = |name: &NamespaceName| json!({"name": name.as_str(), "mcp": format!("{name}/mcp"), "openapi": format!("{name}/openapi.json")});
    uncached(&json!({
        "name": "tooldock",
        "version": env!("CARGO_PKG_VERSION"),
        "protocolVersions": protocol_versions(),
        "namespaces": own.map(line).collect::<Vec<_>>(),
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
    match describe(&shared, caller, &namespace) {
        Ok(info) => uncached(&info),
        Err(error) => answer(Door::Rest, &error, id.as_deref()),
    }
}

/// What a namespace offers the caller.
pub(super) fn catalog(shared: &Shared, caller: Caller, namespace: &NamespaceName) -> Result<Arc<Catalog>> {
    let mount = shared.registry.mount(&caller, namespace.as_str())?;
    let cx = CallContext::new(caller, namespace.clone());
    mount.engine.catalog(&cx)
}

fn describe(shared: &Shared, caller: Caller, namespace: &NamespaceName) -> Result<serde_json::Value> {
    let catalog = catalog(shared, caller, namespace)?;
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
