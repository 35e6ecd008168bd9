//! What the manager may look at and try: behind the bearer token, the manager token and the address.

use std::{error::Error as _, time::Instant};

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::Response,
};
use serde::Deserialize;
use serde_json::{Value, json};
use tooldock_engine::{
    CallContext, Caller, Door, EngineError, EngineExt as _, ErrorKind, Mounts as _, NamespaceName, RawJson,
    context::RequestId, error::Result, json::ScanLimits,
};

use super::routes::{Shared, describe, uncached};
use crate::{
    audit::AuditLog,
    http::answer,
    registry::{Entry, ToolPlace},
};

/// Lines of a log that are given at the most.
const MOST_LINES: usize = 1000;

/// Every namespace and how it is, what is none, and how the audit log does.
pub(super) async fn state(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
) -> Response<Body> {
    let snapshot = shared.registry.snapshot();
    uncached(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "namespaces": describe(&shared, &caller, &snapshot),
        "rejected": snapshot.rejected(),
        "audit": shared.audit.as_ref().map(AuditLog::status),
    }))
}

/// The settings as they count; of secrets only whether they are set.
pub(super) async fn settings(State(shared): State<Shared>) -> Response<Body> {
    uncached(&json!({"settings": &*shared.settings}))
}

/// The tools of a namespace and the files they come from.
pub(super) async fn tools(
    State(shared): State<Shared>,
    Path(namespace): Path<String>,
    id: Option<Extension<RequestId>>,
) -> Response<Body> {
    let places = with(&shared, &namespace, |name, entry| {
        (name.clone(), entry.state().tools())
    });
    let (name, places) = match places {
        Ok(found) => found,
        Err(error) => return answer(Door::Rest, &error, id.as_deref()),
    };
    let catalog = shared.registry.catalog(&name);
    let line = |place: ToolPlace| {
        let mut line = json!(place);
        line["description"] = json!(
            catalog
                .tool(&place.tool)
                .and_then(|tool| tool.description.as_deref())
        );
        line
    };
    let tools: Vec<Value> = places.into_iter().map(line).collect();
    uncached(&json!({"namespace": namespace, "tools": tools}))
}

#[derive(Debug, Deserialize)]
pub(super) struct Tail {
    lines: Option<usize>,
}

/// The last lines that a namespace wrote.
pub(super) async fn log(
    State(shared): State<Shared>,
    Path(namespace): Path<String>,
    Query(tail): Query<Tail>,
    id: Option<Extension<RequestId>>,
) -> Response<Body> {
    let lines = tail.lines.unwrap_or(100).min(MOST_LINES);
    let list = |_: &_, entry: &Entry| json!({"namespace": &namespace, "lines": entry.state().log(lines)});
    match with(&shared, &namespace, list) {
        Ok(list) => uncached(&list),
        Err(error) => answer(Door::Rest, &error, id.as_deref()),
    }
}

/// Calls a tool as a client would, and tells causes that a client is not told.
pub(super) async fn test(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    Path((namespace, tool)): Path<(String, String)>,
    id: Option<Extension<RequestId>>,
    body: Bytes,
) -> Response<Body> {
    let begin = Instant::now();
    let result = call(&shared, caller, &namespace, &tool, body, id.as_deref()).await;
    let milliseconds = begin.elapsed().as_millis();
    match result {
        Ok(mut told) => {
            told["milliseconds"] = json!(milliseconds);
            uncached(&told)
        }
        Err(error) if error.kind() == ErrorKind::NamespaceUnknown => {
            answer(Door::Rest, &error, id.as_deref())
        }
        Err(error) => uncached(&json!({
            "ok": false,
            "error": {"code": error.kind().code(), "message": error.message(), "details": error.details(), "cause": causes(&error)},
            "milliseconds": milliseconds,
        })),
    }
}

async fn call(
    shared: &Shared,
    caller: Caller,
    namespace: &str,
    tool: &str,
    body: Bytes,
    id: Option<&RequestId>,
) -> Result<Value> {
    let mount = shared.registry.mount(&caller, namespace)?;
    let arguments = if body.is_empty() {
        Ok(RawJson::empty_object())
    } else {
        RawJson::scan(body, ScanLimits::MESSAGE)
    };
    let arguments =
        arguments.map_err(|fault| EngineError::new(ErrorKind::InvalidRequest, fault.to_string()))?;
    let mut cx = CallContext::new(caller, mount.namespace.clone());
    if let Some(id) = id {
        cx = cx.with_request_id(id.0.clone());
    }
    let output = mount.engine.call_tool(cx, tool, arguments).await?;
    Ok(json!({"ok": !output.failed, "content": output.content, "structured": output.structured}))
}

/// The chain of causes, outermost first.
fn causes(error: &EngineError) -> Vec<String> {
    let mut chain = Vec::new();
    let mut cause = error.source();
    while let Some(one) = cause {
        chain.push(one.to_string());
        cause = one.source();
    }
    chain
}

/// What `tell` says of a namespace that is served.
fn with<T>(shared: &Shared, namespace: &str, tell: impl FnOnce(&NamespaceName, &Entry) -> T) -> Result<T> {
    let snapshot = shared.registry.snapshot();
    let (name, entry) = snapshot
        .get(namespace)
        .ok_or_else(|| crate::registry::unknown_namespace(namespace))?;
    Ok(tell(name, entry))
}
