//! A Python worker as an engine.

mod load;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::{
    sync::{Notify, broadcast, watch},
    time::Instant,
};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::{
    CallContext, Catalog, Change, Changes, EngineError, EngineReply, EngineRequest, ErrorKind, ToolEngine,
    error::Result, fixed::unknown_tool, request::ResourceUri,
};

pub(crate) use self::load::load;
use crate::{
    report::{LoadReport, WorkerState},
    supervise::{Plan, Supervisor, View},
};

/// Hints that a slow listener may have waiting.
const CHANGES: usize = 16;

/// The engine of one namespace: a supervised Python process. Dropping it kills the process and everything it started.
#[derive(Debug)]
pub struct WorkerEngine {
    view: watch::Receiver<Arc<View>>,
    changes: broadcast::WeakSender<Change>,
    stop: watch::Sender<Option<Duration>>,
    retry: Arc<Notify>,
    _supervisor: AbortOnDropHandle<()>,
}

impl WorkerEngine {
    pub(crate) async fn start(plan: Plan) -> Result<Self> {
        let tasks = TaskTracker::new();
        let changes = broadcast::Sender::new(CHANGES);
        let stop = watch::Sender::new(None);
        let weak = changes.downgrade();
        let (supervisor, life) = Supervisor::start(plan, changes, stop.subscribe(), tasks.clone()).await?;
        let (view, retry) = (supervisor.view(), supervisor.retry());
        let supervisor = AbortOnDropHandle::new(tasks.spawn(supervisor.run(life)));
        Ok(Self {
            view,
            changes: weak,
            stop,
            retry,
            _supervisor: supervisor,
        })
    }

    fn view(&self) -> Arc<View> {
        self.view.borrow().clone()
    }

    /// The process id, while there is a process.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.view().pid
    }

    /// What the worker loaded, and what it does right now.
    #[must_use]
    pub fn report(&self) -> LoadReport {
        let view = self.view();
        LoadReport {
            state: view.state.clone(),
            ..(*view.report).clone()
        }
    }

    /// Starts an ended worker at once instead of after its wait; one that serves is left alone.
    pub fn retry(&self) {
        if matches!(
            self.view().state,
            WorkerState::Restarting { .. } | WorkerState::Failed { .. }
        ) {
            self.retry.notify_one();
        }
    }

    /// Waits until [`report`](Self::report) would say something else, or the engine has been shut down.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn changed(&self) {
        // An error means that the supervisor is gone: nothing will change any more.
        self.view.clone().changed().await.ok();
    }

    /// Waits until the state is one that `wanted` accepts; false when it never will be.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn reached(&self, mut wanted: impl FnMut(&WorkerState) -> bool) -> bool {
        self.view
            .clone()
            .wait_for(|view| wanted(&view.state))
            .await
            .is_ok()
    }
}

/// Why there is no worker to ask.
fn unavailable(state: &WorkerState) -> EngineError {
    let wait = |next: Instant| {
        next.saturating_duration_since(Instant::now())
            .max(Duration::from_secs(1))
    };
    let (text, wait) = match state {
        WorkerState::Restarting { reason, next } => {
            (format!("{reason}; it is being started again"), wait(*next))
        }
        WorkerState::Failed { reason, next } => (
            format!("the worker ended too often; the last time: {reason}"),
            wait(*next),
        ),
        WorkerState::Serving => ("the worker has just ended".to_owned(), Duration::from_secs(1)),
        WorkerState::Stopped => (
            "the namespace is shutting down".to_owned(),
            Duration::from_secs(1),
        ),
    };
    EngineError::new(ErrorKind::Unavailable, text).with_retry_after(wait)
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for WorkerEngine {
    async fn catalog(&self, _cx: &CallContext) -> Result<Arc<Catalog>> {
        Ok(self.view().catalog.clone())
    }

    fn changes(&self, _cx: &CallContext, _watch: &[ResourceUri]) -> Changes {
        match self.changes.upgrade() {
            Some(changes) => Changes::from_receiver(changes.subscribe()),
            None => Changes::never(),
        }
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let view = self.view();
        let EngineRequest::CallTool(call) = request else {
            return Err(EngineError::new(
                ErrorKind::Unsupported,
                "this namespace offers tools only",
            ));
        };
        let connection = match (&view.state, &view.connection) {
            (WorkerState::Serving, Some(connection)) => connection,
            (state, _) => return Err(unavailable(state)),
        };
        if view.catalog.tool(call.tool.as_str()).is_none() {
            return Err(unknown_tool(&view.catalog, call.tool.as_str()));
        }
        connection.call(&cx, &call).await.map(EngineReply::Tool)
    }

    async fn shutdown(&self, grace: Duration) {
        self.stop.send_if_modified(|stop| {
            let first = stop.is_none();
            *stop = stop.or(Some(grace));
            first
        });
        // The supervisor publishes `Stopped` early, so that nothing new comes in, and drops its end when all is over.
        let mut view = self.view.clone();
        while view.changed().await.is_ok() {}
    }
}
