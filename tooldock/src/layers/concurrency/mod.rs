//! A limit on how many calls of a namespace run at once, with a queue in front.

mod gate;
mod turns;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use tokio::{sync::Semaphore, time::Instant};
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, ErrorKind,
    NamespaceName, ToolEngine, context::Steps, error::Result, request::ResourceUri,
};

use self::{
    gate::{Gate, Gates, Permit},
    turns::{Turns, Whose},
};
use super::{Overrides, limit::Limit};

/// Puts [`Concurrency`] around engines. What a namespace has running outlives its engines until the limit changes.
#[derive(Debug, Clone)]
pub struct ConcurrencyLayer {
    running: usize,
    waiting: usize,
    patience: Duration,
    total: Turns,
    most: usize,
    overrides: Arc<Overrides>,
    namespaces: Arc<Mutex<HashMap<NamespaceName, Arc<Gates>>>>,
}

impl ConcurrencyLayer {
    /// A layer that lets `running` requests of a namespace run at once, while 64 more may wait 5 s each. Requests that may
    /// [hold a thread](tooldock_engine::Tool::blocking) and the others are counted apart.
    #[must_use]
    pub fn new(running: usize) -> Self {
        Self {
            running,
            waiting: 64,
            patience: Duration::from_secs(5),
            total: Turns::new(Semaphore::MAX_PERMITS),
            most: Semaphore::MAX_PERMITS,
            overrides: Arc::default(),
            namespaces: Arc::default(),
        }
    }

    /// Lets `waiting` requests of a namespace wait for their turn, each up to `patience`.
    #[must_use]
    pub fn with_queue(mut self, waiting: usize, patience: Duration) -> Self {
        self.waiting = waiting;
        self.patience = patience;
        self
    }

    /// Lets `most` requests of all namespaces together run at once. When that is not enough, namespaces take turns, and within each its
    /// principals.
    #[must_use]
    pub fn with_total(mut self, most: usize) -> Self {
        self.most = most.clamp(1, Semaphore::MAX_PERMITS);
        self.total = Turns::new(self.most);
        self
    }

    /// Gives another limit to the namespaces for which `overrides` has one.
    #[must_use]
    pub fn with_overrides(mut self, overrides: Arc<Overrides>) -> Self {
        self.overrides = overrides;
        self
    }

    /// The gates of `namespace`: those that are there, if they let as many run.
    fn gates(&self, namespace: &NamespaceName, running: usize) -> Arc<Gates> {
        let mut namespaces = self.namespaces.lock().unwrap_or_else(PoisonError::into_inner);
        match namespaces.get(namespace) {
            Some(gates) if gates.running == running => gates.clone(),
            _ => {
                let gates = Arc::new(Gates::new(running, self.waiting, &self.total));
                namespaces.insert(namespace.clone(), gates.clone());
                gates
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
            gates: self.gates(namespace, limit.value),
            limit,
            most: self.most,
            patience: self.patience,
        })
    }
}

/// An engine that runs a limited number of requests at once; first come, first served.
///
/// The limit counts twice: once for calls of tools that hold no thread, once for everything else, so that tools which
/// [hold a thread](tooldock_engine::Tool::blocking) hold up no others.
///
/// While a call waits for its client, its permit is free for others. It takes one again when it goes on, without stopping
/// for that: for as long as it waits, one call more than the limit runs.
#[derive(Debug)]
pub struct Concurrency {
    inner: Arc<dyn ToolEngine>,
    gates: Arc<Gates>,
    limit: Limit<usize>,
    most: usize,
    patience: Duration,
}

impl Concurrency {
    /// Where `request` is counted. What is no call of a tool may hold a thread: nothing tells.
    fn gate(&self, cx: &CallContext, request: &EngineRequest) -> Result<&Gate> {
        let Some(name) = request.tool() else {
            return Ok(&self.gates.blocking);
        };
        let catalog = self.inner.catalog(cx)?;
        let blocking = catalog.tool(name.as_str()).is_some_and(|tool| tool.blocking);
        Ok(if blocking {
            &self.gates.blocking
        } else {
            &self.gates.flowing
        })
    }

    async fn enter(&self, cx: &CallContext, gate: &Gate) -> Result<Permit> {
        let _step = Steps::begin(cx, "queue");
        if let Some(permit) = gate.try_permit() {
            return Ok(permit);
        }
        let _place = gate
            .place()
            .ok_or_else(|| self.overloaded(cx, gate, "no more may wait"))?;
        let began = Instant::now();
        let turn = self.wait(cx, gate).await;
        cx.facts().add_queued(began.elapsed());
        turn
    }

    /// Waits for a turn within the bounds.
    async fn wait(&self, cx: &CallContext, gate: &Gate) -> Result<Permit> {
        let whose = Whose::of(cx);
        tokio::select! {
            permit = gate.permit(&whose) => Ok(permit),
            () = tokio::time::sleep(self.patience) => {
                let text = format!("none of them ended within {} s", self.patience.as_secs_f64());
                Err(self.overloaded(cx, gate, &text))
            }
            () = cx.cancelled().cancelled() => {
                Err(EngineError::new(ErrorKind::Cancelled, "the call was cancelled while it waited for its turn"))
            }
        }
    }

    fn overloaded(&self, cx: &CallContext, gate: &Gate, why: &str) -> EngineError {
        let (whose, setting, limit) = if gate.lacks_total() {
            let all = "all namespaces together run".to_owned();
            (all, "`MAX_CONCURRENCY`", self.most)
        } else {
            let one = format!("the namespace `{}` runs", cx.namespace());
            (one, self.limit.setting.as_str(), self.limit.value)
        };
        let text = format!(
            "{whose} as many calls at once as {setting} allows ({limit}), and {why}; try again in a moment"
        );
        EngineError::new(ErrorKind::Overloaded, text)
    }
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Concurrency {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let gate = self.gate(&cx, &request)?;
        let permit = self.enter(&cx, gate).await?;
        let (clock, whose) = (cx.clock().clone(), Whose::of(&cx));
        tokio::select! {
            biased;
            reply = self.inner.serve(cx, request) => reply,
            never = gate.keep(&clock, &whose, permit) => match never {},
        }
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
