//! How often tools may be called.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, ToolEngine, ToolName, error::Result, request::ResourceUri,
};

use super::{
    Overrides,
    buckets::{Buckets, Key, MINUTE},
    limit::Limit,
};

/// Calls of tools in a minute; 0 sets no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rates {
    /// By one principal (setting `PRINCIPAL_CALLS_PER_MINUTE`).
    pub principal: u32,
    /// In one namespace (setting `NAMESPACE_CALLS_PER_MINUTE`).
    pub namespace: u32,
    /// Of one tool (setting `TOOL_CALLS_PER_MINUTE`).
    pub tool: u32,
}

/// Puts [`Rate`] around engines for which there is a limit. What has been called outlives the engines.
///
/// ```
/// use std::sync::Arc;
/// use tooldock::{CallContext, Caller, EngineExt as _, EngineLayer as _, ErrorKind, RawJson, StaticEngine, Tool, ToolOutput};
/// use tooldock::layers::{RateLayer, Rates};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let engine = StaticEngine::builder()
///     .tool(Tool::new("ping".parse()?), async |_cx, _arguments| Ok(ToolOutput::text("pong")))
///     .build()?;
/// let engine = RateLayer::new(Rates { principal: 1, ..Rates::default() }).layer(&"demo".parse()?, Arc::new(engine));
/// let call = || async { engine.call_tool(CallContext::new(Caller::local(), "demo".parse()?), "ping", RawJson::empty_object()).await };
/// call().await?;
/// assert_eq!(call().await.unwrap_err().kind(), ErrorKind::RateLimited);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct RateLayer {
    rates: Rates,
    overrides: Arc<Overrides>,
    buckets: Arc<Buckets>,
}

impl RateLayer {
    /// A layer that lets tools be called as often as `rates` say.
    #[must_use]
    pub fn new(rates: Rates) -> Self {
        Self {
            rates,
            overrides: Arc::default(),
            buckets: Arc::default(),
        }
    }

    /// Gives another limit to the namespaces for which `overrides` has one.
    #[must_use]
    pub fn with_overrides(mut self, overrides: Arc<Overrides>) -> Self {
        self.overrides = overrides;
        self
    }
}

impl EngineLayer for RateLayer {
    fn layer(&self, namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        let own = self.overrides.of(namespace).calls_per_minute;
        let within = Limit::common(self.rates.namespace, "NAMESPACE_CALLS_PER_MINUTE");
        let within = within.or(own, namespace, "calls_per_minute");
        if [self.rates.principal, within.value, self.rates.tool] == [0; 3] {
            return inner;
        }
        Arc::new(Rate {
            inner,
            principal: Limit::common(self.rates.principal, "PRINCIPAL_CALLS_PER_MINUTE"),
            namespace: within,
            tool: Limit::common(self.rates.tool, "TOOL_CALLS_PER_MINUTE"),
            buckets: self.buckets.clone(),
        })
    }
}

/// An engine whose tools may be called so many times a minute: all at once, and then as the minute goes on.
///
/// Only what is a call of a tool counts, and only where every limit that it meets has room.
#[derive(Debug)]
pub struct Rate {
    inner: Arc<dyn ToolEngine>,
    principal: Limit<u32>,
    namespace: Limit<u32>,
    tool: Limit<u32>,
    buckets: Arc<Buckets>,
}

impl Rate {
    fn admit(&self, cx: &CallContext, tool: &ToolName) -> Result<()> {
        let (principal, namespace) = (&cx.caller().principal, cx.namespace());
        let limits = [
            (&self.principal, Key::Principal(principal.clone())),
            (&self.namespace, Key::Namespace(namespace.clone())),
            (&self.tool, Key::Tool(namespace.clone(), tool.clone())),
        ];
        let limits = limits.into_iter().filter(|(limit, _)| limit.value > 0);
        let (limits, counts): (Vec<_>, Vec<_>) = limits
            .map(|(limit, key)| (limit, (key, MINUTE / limit.value)))
            .unzip();
        let taken = self.buckets.take(&counts);
        taken.map_err(|(place, wait)| refuse(limits[place], &counts[place].0, wait))
    }
}

fn refuse(limit: &Limit<u32>, key: &Key, wait: Duration) -> EngineError {
    let whose = match key {
        Key::Principal(principal) => format!("`{}` may call tools", principal.name()),
        Key::Namespace(namespace) => format!("tools of the namespace `{namespace}` may be called"),
        Key::Tool(_, tool) => format!("the tool `{tool}` may be called"),
    };
    let text = format!(
        "{whose} {} times a minute ({}); try again in {} s",
        limit.value,
        limit.setting,
        wait.as_secs() + 1
    );
    EngineError::new(ErrorKind::RateLimited, text).with_retry_after(Duration::from_secs(wait.as_secs() + 1))
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Rate {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        // Names that somebody makes up are refused further in, and not kept here.
        if let Some(tool) = request.tool()
            && self.inner.catalog(&cx)?.tool(tool.as_str()).is_some()
        {
            self.admit(&cx, tool)?;
        }
        self.inner.serve(cx, request).await
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
