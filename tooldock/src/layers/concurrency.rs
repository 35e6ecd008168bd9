//! A limit on how many calls of a namespace run at once, with a queue in front.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, ToolEngine, context::Clock, error::Result, request::ResourceUri,
};

use super::{Overrides, limit::Limit};

/// Puts [`Concurrency`] around engines. One layer has one gate per namespace, which outlives the engines until its limit changes.
#[derive(Debug, Clone)]
pub struct ConcurrencyLayer {
    running: usize,
    waiting: usize,
    patience: Duration,
    overrides: Arc<Overrides>,
    gates: Arc<Mutex<HashMap<NamespaceName, Arc<Gate>>>>,
}

impl ConcurrencyLayer {
    /// A layer that lets `running` requests of a namespace run at once, while 64 more may wait 5 s each.
    #[must_use]
    pub fn new(running: usize) -> Self {
        Self {
            running,
            waiting: 64,
            patience: Duration::from_secs(5),
            overrides: Arc::default(),
            gates: Arc::default(),
        }
    }

    /// Lets `waiting` requests of a namespace wait for their turn, each up to `patience`.
    #[must_use]
    pub fn with_queue(mut self, waiting: usize, patience: Duration) -> Self {
        self.waiting = waiting;
        self.patience = patience;
        self
    }

    /// Gives another limit to the namespaces for which `overrides` has one.
    #[must_use]
    pub fn with_overrides(mut self, overrides: Arc<Overrides>) -> Self {
        self.overrides = overrides;
        self
    }

    /// The gate of `namespace`: the one that is there, if it lets as many run.
    fn gate(&self, namespace: &NamespaceName, running: usize) -> Arc<Gate> {
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        match gates.get(namespace) {
            Some(gate) if gate.running == running => gate.clone(),
            _ => {
                let gate = Arc::new(Gate::new(running, self.waiting));
                gates.insert(namespace.clone(), gate.clone());
                gate
            }
        }
    }
}

impl EngineLayer for ConcurrencyLayer {
    fn layer(&self, namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        let own = self.overrides.of(namespace).concurrency;
        let mut limit =
            Limit::common(self.running, "NAMESPACE_MAX_CONCURRENCY").or(own, namespace, "max_concurrency");
        limit.value = limit.value.clamp(1, Semaphore::MAX_PERMITS);
        Arc::new(Concurrency {
            inner,
            gate: self.gate(namespace, limit.value),
            limit,
            patience: self.patience,
        })
    }
}

/// An engine that runs a limited number of requests at once; first come, first served.
///
/// While a call waits for its client, its permit is free for others. It takes one again when it goes on, without stopping
/// for that: for as long as it waits, one call more than the limit runs.
#[derive(Debug)]
pub struct Concurrency {
    inner: Arc<dyn ToolEngine>,
    gate: Arc<Gate>,
    limit: Limit<usize>,
    patience: Duration,
}

#[derive(Debug)]
struct Gate {
    running: usize,
    /// Fair: a permit that becomes free goes to the one who has waited longest.
    permits: Arc<Semaphore>,
    /// Places in the queue.
    places: Semaphore,
}

impl Gate {
    fn new(running: usize, waiting: usize) -> Self {
        Self {
            running,
            permits: Arc::new(Semaphore::new(running)),
            places: Semaphore::new(waiting.min(Semaphore::MAX_PERMITS)),
        }
    }

    async fn permit(&self) -> OwnedSemaphorePermit {
        let permit = self.permits.clone().acquire_owned().await;
        permit.expect("nobody closes the semaphore")
    }

    /// Holds `permit` while `clock` goes and gives it back while `clock` stands still.
    async fn keep(&self, clock: &Clock, permit: OwnedSemaphorePermit) -> Infallible {
        let mut held = Some(permit);
        loop {
            clock.until_paused(true).await;
            drop(held.take());
            clock.until_paused(false).await;
            held = tokio::select! {
                permit = self.permit() => Some(permit),
                () = clock.until_paused(true) => None,
            };
        }
    }
}

impl Concurrency {
    async fn enter(&self, cx: &CallContext) -> Result<OwnedSemaphorePermit> {
        if let Ok(permit) = self.gate.permits.clone().try_acquire_owned() {
            return Ok(permit);
        }
        let places = &self.gate.places;
        let _place = places
            .try_acquire()
            .map_err(|_| self.overloaded(cx, "no more may wait"))?;
        tokio::select! {
            permit = self.gate.permit() => Ok(permit),
            () = tokio::time::sleep(self.patience) => {
                let text = format!("none of them ended within {} s", self.patience.as_secs_f64());
                Err(self.overloaded(cx, &text))
            }
            () = cx.cancelled().cancelled() => {
                Err(EngineError::new(ErrorKind::Cancelled, "the call was cancelled while it waited for its turn"))
            }
        }
    }

    fn overloaded(&self, cx: &CallContext, why: &str) -> EngineError {
        let text = format!(
            "the namespace `{}` runs as many calls at once as {} allows ({}), and {why}; try \
             again in a moment",
            cx.namespace(),
            self.limit.setting,
            self.limit.value,
        );
        EngineError::new(ErrorKind::Overloaded, text)
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Concurrency {
    // Handed on as it is: an `async fn` would put the future into one more box.
    fn catalog<'s, 'c, 'f>(&'s self, cx: &'c CallContext) -> BoxFuture<'f, Result<Arc<Catalog>>>
    where
        's: 'f,
        'c: 'f,
        Self: 'f,
    {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let permit = self.enter(&cx).await?;
        let clock = cx.clock().clone();
        tokio::select! {
            reply = self.inner.serve(cx, request) => reply,
            never = self.gate.keep(&clock, permit) => match never {},
        }
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
