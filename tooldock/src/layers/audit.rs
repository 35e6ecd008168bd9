//! One record per request, for whoever keeps account.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::time::Instant;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineLayer, EngineReply, EngineRequest, NamespaceName, ToolEngine,
    error::Result, request::ResourceUri,
};

use super::{
    CallRecord, Subject,
    ending::Ending,
    record::{arguments, reply_bytes, request_bytes},
};

/// Keeps account of requests. Closures that take a [`CallRecord`] do.
///
/// It is called on the task of the request, also while that is dropped, so it must neither block nor panic: whoever writes files
/// copies what he needs into a queue.
pub trait Audit: Send + Sync + 'static {
    /// Whether a request may be served at all: asked before each, and each that may be served is recorded once. An audit that must
    /// miss none refuses while it cannot record.
    ///
    /// # Errors
    /// What its caller is told.
    fn admit(&self) -> Result<()> {
        Ok(())
    }

    /// One request has ended.
    fn record(&self, record: &CallRecord<'_>);
}

impl<F: Fn(&CallRecord<'_>) + Send + Sync + 'static> Audit for F {
    fn record(&self, record: &CallRecord<'_>) {
        self(record);
    }
}

/// Puts [`Audited`] around engines.
///
/// ```
/// use std::sync::Arc;
/// use tooldock::{CallContext, Caller, EngineExt as _, EngineLayer as _, RawJson, StaticEngine, layers::{AuditLayer, CallRecord}};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let (lines, written) = std::sync::mpsc::sync_channel(1000);
/// let audit = AuditLayer::new(move |record: &CallRecord<'_>| {
///     let who = record.cx.caller().principal.name();
///     // A full queue loses lines here; a real audit says so, or refuses calls.
///     lines.try_send(format!("{who} {:?} {}", record.subject, record.outcome.label())).ok();
/// });
/// let engine = audit.layer(&"demo".parse()?, Arc::new(StaticEngine::builder().build()?));
/// let cx = CallContext::new(Caller::local(), "demo".parse()?);
/// engine.call_tool(cx, "add", RawJson::empty_object()).await.unwrap_err();
/// assert_eq!(written.recv()?, r#"local Tool("add") tool_not_found"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct AuditLayer(Arc<dyn Audit>);

impl AuditLayer {
    /// Gives `audit` one record for each request.
    #[must_use]
    pub fn new(audit: impl Audit) -> Self {
        Self(Arc::new(audit))
    }
}

impl fmt::Debug for AuditLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuditLayer")
    }
}

impl EngineLayer for AuditLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        Arc::new(Audited {
            inner,
            layer: self.clone(),
        })
    }
}

/// An engine whose requests are recorded: each once, when it has ended or nobody waits for it any more.
#[derive(Debug)]
pub struct Audited {
    inner: Arc<dyn ToolEngine>,
    layer: AuditLayer,
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Audited {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        self.layer.0.admit()?;
        let (subject, request_bytes) = (Subject::of(&request), request_bytes(&request));
        let arguments = arguments(&request).cloned();
        let began = Instant::now();
        let clock = cx.clock().elapsed_at(began);
        let told = cx.clone();
        let (queued, processor) = (cx.facts().queued(), cx.facts().processor());
        let ending = Ending::new(move |outcome, reply| {
            let now = Instant::now();
            self.layer.0.record(&CallRecord {
                cx: &told,
                subject: &subject,
                outcome,
                took: now - began,
                queued: told.facts().queued().saturating_sub(queued),
                worked: told.clock().elapsed_at(now).saturating_sub(clock),
                processor: told.facts().processor().saturating_sub(processor),
                request_bytes,
                reply_bytes: reply.map_or(0, reply_bytes),
                repaired: told.facts().is_repaired(),
                arguments: arguments.as_ref(),
                reply,
            });
        });
        ending.with(self.inner.serve(cx, request).await)
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
