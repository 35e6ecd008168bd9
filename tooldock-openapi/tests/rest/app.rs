//! A router over one engine, and what it answers.

use std::sync::Arc;

use axum::{Extension, Router, body::Body};
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode, header::CONTENT_TYPE};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tooldock_engine::{
    CallContext, Caller, Catalog, Mount, NamespaceName, RawJson, StaticEngine, Tool, ToolEngine, ToolOutput,
    context::RequestId, error::Result,
};
use tooldock_openapi::{RestSettings, router};
use tower::ServiceExt as _;

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap().to_owned()
    }

    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap().to_owned()
    }
}

/// The routes over `engine`, with everything in front that a gateway puts there.
pub(crate) fn app(engine: impl ToolEngine) -> Router {
    let namespace: NamespaceName = "demo".parse().unwrap();
    let mount = Mount {
        namespace: namespace.clone(),
        engine: Arc::new(engine),
    };
    router(Arc::new(mount), RestSettings::default())
        .layer(Extension(namespace))
        .layer(Extension(Caller::local()))
        .layer(Extension(RequestId("r-1".into())))
}

pub(crate) async fn send(app: &Router, request: Request<Body>) -> Answer {
    let (parts, body) = app.clone().oneshot(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    Answer {
        status: parts.status,
        headers: parts.headers,
        body,
    }
}

pub(crate) async fn get(app: &Router, path: &str) -> Answer {
    send(app, Request::get(path).body(Body::empty()).unwrap()).await
}

pub(crate) async fn post(app: &Router, path: &str, body: &str) -> Answer {
    let request = Request::post(path).header(CONTENT_TYPE, "application/json");
    send(app, request.body(Body::from(body.to_owned())).unwrap()).await
}

pub(crate) fn tool(name: &str) -> Tool {
    Tool::new(name.parse().unwrap())
}

pub(crate) fn raw(text: &str) -> RawJson {
    RawJson::scan(text.to_owned(), tooldock_engine::json::ScanLimits::RESULT).unwrap()
}

/// An engine with one tool `t` that always answers the same.
pub(crate) fn always(tool: Tool, output: ToolOutput) -> StaticEngine {
    let handler = move |_cx: CallContext, _arguments: RawJson| {
        let output = output.clone();
        async move { Result::Ok(output) }
    };
    StaticEngine::builder().tool(tool, handler).build().unwrap()
}

/// An engine with one tool `echo` that answers with its arguments as text.
pub(crate) fn echo() -> StaticEngine {
    let handler = async |_cx, arguments: RawJson| Ok(ToolOutput::structured(&arguments));
    StaticEngine::builder()
        .tool(tool("echo"), handler)
        .build()
        .unwrap()
}

pub(crate) fn catalog(tools: impl IntoIterator<Item = Tool>) -> Catalog {
    tools
        .into_iter()
        .fold(Catalog::builder(), |builder, tool| builder.tool(tool))
        .build()
        .unwrap()
}
