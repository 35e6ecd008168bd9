//! Each request as a span of a distributed trace (W3C Trace Context).

use std::{
    fmt,
    hash::{BuildHasher as _, RandomState},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use tokio::time::Instant;
use tooldock_engine::{
    CallContext, Caller, Catalog, Changes, EngineLayer, EngineReply, EngineRequest, NamespaceName,
    ToolEngine,
    context::{Step, Steps, TraceContext},
    error::Result,
    request::ResourceUri,
};

use super::{Outcome, Subject, ending::Ending};

/// Takes spans. Closures that take a [`CallSpan`] do.
///
/// It is called on the task of the request, also while that is dropped, so it must neither block nor panic.
pub trait Tracer: Send + Sync + 'static {
    /// One request has ended.
    fn ended(&self, span: CallSpan);
}

impl<F: Fn(CallSpan) + Send + Sync + 'static> Tracer for F {
    fn ended(&self, span: CallSpan) {
        self(span);
    }
}

/// A request as a span. It holds nothing of the call that somebody could wait for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CallSpan {
    /// Who asked.
    pub caller: Caller,
    /// In which namespace.
    pub namespace: NamespaceName,
    /// The id under which logs tell of it.
    pub request_id: Box<str>,
    /// The revision of the protocol, where the door has several.
    pub protocol: Option<&'static str>,
    /// The trace that the request came with.
    pub parent: TraceContext,
    /// The trace that engines were given: its parent is this span.
    pub trace: TraceContext,
    /// What was asked for.
    pub subject: Subject,
    /// How it ended.
    pub outcome: Outcome,
    /// When it began.
    pub time: SystemTime,
    /// The same for a clock that does not jump.
    pub began: Instant,
    /// How long it took.
    pub took: Duration,
    /// What it went through: `queue`, `engine`, `worker`.
    pub steps: Vec<Step>,
}

/// Puts [`Traced`] around engines.
///
/// ```
/// use tooldock::layers::{CallSpan, TraceLayer};
/// let layer = TraceLayer::new(|span: CallSpan| println!("{:?} took {:?}", span.subject, span.took));
/// ```
#[derive(Clone)]
pub struct TraceLayer(Arc<dyn Tracer>);

impl TraceLayer {
    /// Gives `tracer` one span for each request, except for those whose trace is not recorded by whoever has begun it.
    #[must_use]
    pub fn new(tracer: impl Tracer) -> Self {
        Self(Arc::new(tracer))
    }
}

impl fmt::Debug for TraceLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TraceLayer")
    }
}

impl EngineLayer for TraceLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        Arc::new(Traced {
            inner,
            layer: self.clone(),
        })
    }
}

/// An engine whose requests are spans: it is given a trace whose parent is the span of the request.
#[derive(Debug)]
pub struct Traced {
    inner: Arc<dyn ToolEngine>,
    layer: TraceLayer,
}

/// The trace for what a request causes: that of the request, or a new one.
fn below(parent: &TraceContext) -> TraceContext {
    let mut text = *b"00-00000000000000000000000000000000-0000000000000000-01";
    let state = match parent.ids() {
        Some(ids) => {
            text[3..35].copy_from_slice(ids.trace.as_bytes());
            parent.state.clone()
        }
        None => {
            put(&mut text[3..19], random());
            put(&mut text[19..35], random());
            None
        }
    };
    put(&mut text[36..52], random());
    let text = str::from_utf8(&text).expect("all of it is ASCII");
    TraceContext {
        parent: Some(text.into()),
        state,
    }
}

/// Writes `number` in hexadecimal digits: formatting costs more than all else in a span.
fn put(place: &mut [u8], number: u64) {
    for (digit, byte) in place.iter_mut().zip((0..16).rev()) {
        *digit = b"0123456789abcdef"[(number >> (4 * byte) & 15) as usize];
    }
}

/// A number that is no secret, must not come twice and is not zero: a keyed hash of a counter.
fn random() -> u64 {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    KEY.hash_one(COUNT.fetch_add(1, Ordering::Relaxed)).max(1)
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Traced {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        if cx.trace().ids().is_some_and(|ids| !ids.sampled) {
            return self.inner.serve(cx, request).await;
        }
        let parent = cx.trace().clone();
        let (subject, steps) = (Subject::of(&request), Steps::default());
        let (time, began) = (SystemTime::now(), Instant::now());
        let trace = below(&parent);
        let cx = cx.with_trace(trace.clone()).with_steps(steps.clone());
        let (caller, namespace) = (cx.caller().clone(), cx.namespace().clone());
        let (request_id, protocol) = (cx.request_id().into(), cx.protocol());
        let ending = Ending::new(move |outcome, _reply| {
            self.layer.0.ended(CallSpan {
                caller,
                namespace,
                request_id,
                protocol,
                parent,
                trace,
                subject,
                outcome,
                time,
                began,
                took: began.elapsed(),
                steps: steps.take(),
            });
        });
        ending.with(self.inner.serve(cx, request).await)
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
