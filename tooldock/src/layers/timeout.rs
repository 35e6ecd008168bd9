//! A limit on how long a call may take.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, ToolEngine, ToolName, context::Steps, error::Result, request::ResourceUri,
};

use super::{Overrides, limit::Limit};

/// Puts [`Timeout`] around engines.
#[derive(Debug, Clone)]
pub struct TimeoutLayer {
    limit: Duration,
    overrides: Arc<Overrides>,
}

impl TimeoutLayer {
    /// A layer that gives `limit` to each request, except to tools that have a limit of their own.
    #[must_use]
    pub fn new(limit: Duration) -> Self {
        Self {
            limit,
            overrides: Arc::default(),
        }
    }

    /// Gives another limit to the namespaces for which `overrides` has one.
    #[must_use]
    pub fn with_overrides(mut self, overrides: Arc<Overrides>) -> Self {
        self.overrides = overrides;
        self
    }
}

impl EngineLayer for TimeoutLayer {
    fn layer(&self, namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        let own = self.overrides.of(namespace).timeout;
        let limit =
            Limit::common(self.limit, "TOOL_CALL_TIMEOUT_SECONDS").or(own, namespace, "timeout_seconds");
        Arc::new(Timeout { inner, limit })
    }
}

/// An engine whose requests end after a limit: the tool's own, else the namespace's, else that of all namespaces.
///
/// Time in which a call waits for its client does not count, nor does time before the call came here. When the limit is
/// reached, the call is cancelled and dropped, and the caller is told [`Timeout`](ErrorKind::Timeout) and which limit it was.
#[derive(Debug)]
pub struct Timeout {
    inner: Arc<dyn ToolEngine>,
    limit: Limit<Duration>,
}

impl Timeout {
    /// The limit that the requested tool has of its own.
    fn own(&self, cx: &CallContext, request: &EngineRequest) -> Result<Option<Duration>> {
        let Some(name) = request.tool() else {
            return Ok(None);
        };
        let catalog = self.inner.catalog(cx)?;
        Ok(catalog.tool(name.as_str()).and_then(|tool| tool.timeout))
    }
}

fn expired(tool: Option<&ToolName>, limit: Duration, whose: &str) -> EngineError {
    let what = tool.map_or("the request".to_owned(), |tool| format!("the tool `{tool}`"));
    let text = format!(
        "{what} was not answered within {} s, the limit {whose}",
        limit.as_secs_f64()
    );
    EngineError::new(ErrorKind::Timeout, text)
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Timeout {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let tool = request.tool().cloned();
        let own = self.own(&cx, &request)?;
        let limit = own.unwrap_or(self.limit.value);
        let (clock, cancel) = (cx.clock().clone(), cx.cancelled().child_token());
        let end = clock.elapsed() + limit;
        let _step = Steps::begin(&cx, "engine");
        tokio::select! {
            biased;
            reply = self.inner.serve(cx.with_cancel(cancel.clone()), request) => reply,
            () = clock.run_out(end) => {
                cancel.cancel();
                let whose = match own {
                    Some(_) => "of its own `timeout`".to_owned(),
                    None => format!("that {} sets", self.limit.setting),
                };
                Err(expired(tool.as_ref(), limit, &whose))
            }
        }
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
