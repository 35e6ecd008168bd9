//! Numbers about requests, under labels of which there are few.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::time::Instant;
use tooldock_engine::{
    CallContext, Catalog, Changes, Door, EngineLayer, EngineReply, EngineRequest, NamespaceName, ToolEngine,
    ToolName, error::Result, request::ResourceUri,
};

use super::{Outcome, Subject, ending::Ending};

/// Under which labels a request is counted. No value is made up by a caller, so there are as many series as tools, not as requests.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CallLabels {
    /// The namespace.
    pub namespace: NamespaceName,
    /// The sort of what is asked for; see [`Subject::label`].
    pub what: &'static str,
    /// The tool, if it is one that the namespace lists.
    pub tool: Option<ToolName>,
    /// The protocol.
    pub door: Door,
}

/// Counts requests: a gauge of those that run, a counter and a histogram of those that have ended.
///
/// It is called on the task of the request, also while that is dropped, so it must neither block nor panic.
pub trait Meter: Send + Sync + 'static {
    /// A request has begun.
    fn began(&self, labels: &CallLabels);

    /// The request has ended after `took`, of which it waited for its turn for `queued`. Each that has begun ends once.
    fn ended(&self, labels: &CallLabels, outcome: Outcome, took: Duration, queued: Duration);
}

/// Puts [`Metered`] around engines.
///
/// ```
/// use std::{sync::{Arc, atomic::{AtomicI64, Ordering}}, time::Duration};
/// use tooldock::layers::{CallLabels, Meter, MetricsLayer, Outcome};
///
/// #[derive(Default)]
/// struct Running(AtomicI64);
///
/// impl Meter for Running {
///     fn began(&self, _labels: &CallLabels) { self.0.fetch_add(1, Ordering::Relaxed); }
///     fn ended(&self, _labels: &CallLabels, _outcome: Outcome, _took: Duration, _queued: Duration) {
///          self.0.fetch_sub(1, Ordering::Relaxed); }
/// }
///
/// let running = Arc::new(Running::default());
/// let layer = MetricsLayer::new(running.clone());
/// ```
#[derive(Clone)]
pub struct MetricsLayer(Arc<dyn Meter>);

impl MetricsLayer {
    /// Lets `meter` count requests.
    #[must_use]
    pub fn new(meter: impl Meter) -> Self {
        Self(Arc::new(meter))
    }
}

impl<M: Meter + ?Sized> Meter for Arc<M> {
    fn began(&self, labels: &CallLabels) {
        (**self).began(labels);
    }

    fn ended(&self, labels: &CallLabels, outcome: Outcome, took: Duration, queued: Duration) {
        (**self).ended(labels, outcome, took, queued);
    }
}

impl fmt::Debug for MetricsLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MetricsLayer")
    }
}

impl EngineLayer for MetricsLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        Arc::new(Metered {
            inner,
            layer: self.clone(),
        })
    }
}

/// An engine whose requests are counted.
#[derive(Debug)]
pub struct Metered {
    inner: Arc<dyn ToolEngine>,
    layer: MetricsLayer,
}

impl Metered {
    fn labels(&self, cx: &CallContext, request: &EngineRequest) -> CallLabels {
        let listed = match request.tool() {
            Some(tool) => self.inner.catalog(cx).ok().and_then(|catalog| {
                let tool = catalog.tool(tool.as_str())?;
                Some(tool.name.clone())
            }),
            None => None,
        };
        CallLabels {
            namespace: cx.namespace().clone(),
            what: Subject::of(request).label(),
            tool: listed,
            door: cx.caller().door,
        }
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Metered {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let labels = self.labels(&cx, &request);
        let began = Instant::now();
        let meter = &*self.layer.0;
        meter.began(&labels);
        let (facts, before) = (cx.facts().clone(), cx.facts().queued());
        let ending = Ending::new(|outcome, _reply| {
            let queued = facts.queued().saturating_sub(before);
            meter.ended(&labels, outcome, began.elapsed(), queued);
        });
        ending.with(self.inner.serve(cx, request).await)
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
