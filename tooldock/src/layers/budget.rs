//! How much processor time the calls of a namespace may use.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, ToolEngine, error::Result, request::ResourceUri,
};

use super::{
    Outcome, Overrides,
    buckets::{Buckets, Key, MINUTE},
    ending::Ending,
    limit::Limit,
};

/// Puts [`Budget`] around engines for which there is a limit. What has been used outlives the engines.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use tooldock::{CallContext, Caller, EngineExt as _, EngineLayer as _, ErrorKind, RawJson, StaticEngine, Tool, ToolOutput};
/// use tooldock::layers::BudgetLayer;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap().block_on(async {
/// let engine = StaticEngine::builder()
///     .tool(Tool::new("compute".parse()?), async |cx: CallContext, _arguments| {
///         tokio::time::sleep(Duration::from_secs(2)).await; // stands for work
///         cx.facts().add_processor(Duration::from_secs(2));
///         Ok(ToolOutput::text("done"))
///     })
///     .build()?;
/// let engine = BudgetLayer::new(1).layer(&"demo".parse()?, Arc::new(engine));
/// let call = || async { engine.call_tool(CallContext::new(Caller::local(), "demo".parse()?), "compute", RawJson::empty_object()).await };
/// call().await?;
/// assert_eq!(call().await.unwrap_err().kind(), ErrorKind::RateLimited);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct BudgetLayer {
    cpu_seconds: u32,
    overrides: Arc<Overrides>,
    buckets: Arc<Buckets>,
}

impl BudgetLayer {
    /// A layer that lets the requests of a namespace use `cpu_seconds` of processor time in a minute; 0 sets no limit.
    #[must_use]
    pub fn new(cpu_seconds: u32) -> Self {
        Self {
            cpu_seconds,
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

impl EngineLayer for BudgetLayer {
    fn layer(&self, namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        let own = self.overrides.of(namespace).cpu_seconds;
        let limit = Limit::common(self.cpu_seconds, "NAMESPACE_CPU_SECONDS_PER_MINUTE");
        let limit = limit.or(own, namespace, "cpu_seconds_per_minute");
        if limit.value == 0 {
            return inner;
        }
        Arc::new(Budget {
            inner,
            limit,
            buckets: self.buckets.clone(),
        })
    }
}

/// An engine whose requests may use so many seconds of processor time in a minute: all at once, and then as the minute goes on.
///
/// A request is charged when it has ended, with what its engine [says](tooldock_engine::context::Facts::add_processor) that it used, and at
/// most with the time that it took. One that ends without the engine being able to say (out of time, cancelled, crashed, nobody waiting for
/// it) is charged the time that it took. So requests that run at once may use more than there was; the next ones wait for so much longer.
#[derive(Debug)]
pub struct Budget {
    inner: Arc<dyn ToolEngine>,
    limit: Limit<u32>,
    buckets: Arc<Buckets>,
}

impl Budget {
    fn admit(&self, namespace: &NamespaceName) -> Result<()> {
        let count = (Key::Namespace(namespace.clone()), Duration::ZERO);
        let left = self.buckets.take(&[count]);
        left.map_err(|(_, wait)| refuse(namespace, &self.limit, wait))
    }

    fn charge(&self, namespace: &NamespaceName, used: Duration) {
        let share = used * MINUTE.as_secs() as u32 / self.limit.value;
        self.buckets.charge(Key::Namespace(namespace.clone()), share);
    }
}

/// Whether the engine could not say what a request used that ended so.
fn is_untold(outcome: Outcome) -> bool {
    use ErrorKind::{Cancelled, Crashed, Timeout};
    matches!(
        outcome,
        Outcome::Abandoned | Outcome::Refused(Timeout | Cancelled | Crashed)
    )
}

fn refuse(namespace: &NamespaceName, limit: &Limit<u32>, wait: Duration) -> EngineError {
    let seconds = wait.as_secs() + 1;
    let text = format!(
        "the namespace `{namespace}` may use {} s of processor time a minute ({}) and has used them up; try again in {seconds} s",
        limit.value, limit.setting
    );
    EngineError::new(ErrorKind::RateLimited, text).with_retry_after(Duration::from_secs(seconds))
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Budget {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        self.admit(cx.namespace())?;
        let (began, known) = (cx.clock().elapsed(), cx.facts().processor());
        let told = cx.clone();
        let ending = Ending::new(move |outcome, _| {
            let took = told.clock().elapsed().saturating_sub(began);
            let said = told.facts().processor().saturating_sub(known);
            let used = if is_untold(outcome) { took } else { said.min(took) };
            self.charge(told.namespace(), used);
        });
        ending.with(self.inner.serve(cx, request).await)
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
