//! One request on its way: who asks, where, and the engine that answers.

use std::{future::Future, sync::Arc};

use axum::{body::Body, response::Response};
use http::request::Parts;
use percent_encoding::percent_decode_str;
use tooldock_engine::{
    CallContext, Caller, Catalog, Door, EngineError, ErrorKind, Mount, NamespaceName, Tool,
    context::{RequestId, TraceContext},
    fixed::unknown_tool,
};

use crate::{error::Refusal, router::Rest};

/// A request whose caller, namespace and engine are known.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) mount: Mount,
    pub(crate) cx: CallContext,
    pub(crate) catalog: Arc<Catalog>,
}

impl Exchange {
    /// Finds the engine for the request with these `parts`.
    pub(crate) async fn open(rest: &Rest, parts: &Parts) -> Result<Self, Refusal> {
        let caller = parts.extensions.get::<Caller>().ok_or_else(|| {
            let text = "the request carries no identity; send `Authorization: Bearer <token>`";
            EngineError::new(ErrorKind::Unauthorized, text)
        })?;
        let caller = Caller {
            door: Door::Rest,
            ..caller.clone()
        };
        let namespace = parts.extensions.get::<NamespaceName>().ok_or_else(|| {
            let text =
                "the request names no namespace; call `/{namespace}/tools`, or send the header `X-Namespace`";
            EngineError::new(ErrorKind::NamespaceMissing, text)
        })?;
        let mount = rest.mounts.mount(&caller, namespace.as_str())?;
        let mut cx =
            CallContext::new(caller, mount.namespace.clone()).with_trace(TraceContext::read(&parts.headers));
        if let Some(RequestId(id)) = parts.extensions.get() {
            cx = cx.with_request_id(id.clone());
        }
        let catalog = mount.engine.catalog(&cx)?;
        Ok(Self { mount, cx, catalog })
    }
}

/// The tool that the path of a call names: everything below `/tools/`, percent-decoded once.
///
/// What is no tool name is answered like any tool that is not there.
pub(crate) fn tool<'a>(catalog: &'a Catalog, path: &str) -> Result<&'a Arc<Tool>, Refusal> {
    let segment = path.strip_prefix("/tools/").unwrap_or_default();
    let name = percent_decode_str(segment).decode_utf8_lossy();
    Ok(catalog.tool(&name).ok_or_else(|| unknown_tool(catalog, &name))?)
}

/// Answers a request by `handle`, which is given its head, or by its refusal.
pub(crate) async fn answer<F>(parts: Parts, handle: impl FnOnce(Parts) -> F) -> Response<Body>
where
    F: Future<Output = Result<Response<Body>, Refusal>>,
{
    let id = parts.extensions.get().cloned();
    match handle(parts).await {
        Ok(answer) => answer,
        Err(refusal) => refusal.answer(id.as_ref()),
    }
}
