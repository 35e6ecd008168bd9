//! What is known about the processes of one namespace right now.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;
use tooldock_engine::{Catalog, EngineError, ErrorKind, error::Result, fixed::unknown_tool};

use super::{lost::Lost, session::Session};
use crate::{
    process::Usage,
    report::{LoadReport, ProcessState, WorkerState},
    rpc::Connection,
};

/// What is known about one process.
#[derive(Debug, Clone)]
pub(crate) struct View {
    /// What its last good start offered, or the namespace before it if something was lost.
    pub catalog: Arc<Catalog>,
    /// What of that it cannot run.
    pub lost: Arc<Lost>,
    pub report: Arc<LoadReport>,
    /// When that start was.
    pub loaded: Instant,
    pub state: WorkerState,
    pub connection: Option<Connection>,
    pub pid: Option<u32>,
    /// How often it was started.
    pub starts: u64,
}

impl View {
    /// A process that has just loaded its files.
    pub(super) fn serving(session: &Session, catalog: Arc<Catalog>, report: Arc<LoadReport>) -> Self {
        Self {
            catalog,
            lost: Arc::default(),
            report,
            loaded: session.started,
            state: WorkerState::Serving,
            connection: Some(session.connection.clone()),
            pid: session.pid,
            starts: 1,
        }
    }

    /// A process that will be started beside this one.
    pub(super) fn beside(&self) -> Self {
        Self {
            state: WorkerState::Starting,
            connection: None,
            pid: None,
            starts: 0,
            ..self.clone()
        }
    }

    /// Whether it can run `tool`, which `published` has.
    fn offers(&self, tool: &str, published: &Arc<Catalog>) -> bool {
        let listed = Arc::ptr_eq(&self.catalog, published) || self.catalog.tool(tool).is_some();
        listed && !self.lost.contains(tool)
    }

    /// The way to its tools while it serves.
    fn open(&self) -> Option<&Connection> {
        self.connection
            .as_ref()
            .filter(|_| self.state == WorkerState::Serving)
    }
}

/// What is known about all processes of a namespace, of which there is at least one. A new one is published at every change.
#[derive(Debug, Clone)]
pub(crate) struct Board(pub(super) Vec<View>);

impl Board {
    /// The process whose last good start was the latest: what it offers is what the namespace offers.
    pub(crate) fn newest(&self) -> &View {
        let newest = self.0.iter().max_by_key(|view| view.loaded);
        newest.expect("there is at least one process")
    }

    /// The way to a tool: through the process with the fewest calls of those that offer it.
    pub(crate) fn route(&self, tool: &str) -> Result<(&Connection, Option<Duration>)> {
        let catalog = &self.newest().catalog;
        let Some(listed) = catalog.tool(tool) else {
            return Err(match self.state() {
                WorkerState::Serving => unknown_tool(catalog, tool),
                state => unavailable(state),
            });
        };
        let connection = match self.0.as_slice() {
            [only] if only.lost.is_empty() => only.open(),
            many => many
                .iter()
                .filter(|view| view.offers(tool, catalog))
                .filter_map(View::open)
                .min_by_key(|connection| connection.open_requests()),
        };
        let lost = || {
            self.0
                .iter()
                .find_map(|view| view.open().and(view.lost.error(tool)))
        };
        let connection = connection.ok_or_else(|| lost().unwrap_or_else(|| unavailable(self.state())))?;
        Ok((connection, listed.timeout))
    }

    /// The way to something else than a tool, which is in a catalog that `has` accepts: through the process with the fewest calls.
    pub(crate) fn route_offer(&self, has: impl Fn(&Catalog) -> bool) -> Result<&Connection> {
        let published = &self.newest().catalog;
        let views = self.0.iter();
        let able = views.filter(|view| Arc::ptr_eq(&view.catalog, published) || has(&view.catalog));
        let connections = able.filter_map(View::open);
        let connection = connections.min_by_key(|connection| connection.open_requests());
        connection.ok_or_else(|| unavailable(self.state()))
    }

    /// The state of the namespace: that of the process which does best.
    pub(crate) fn state(&self) -> &WorkerState {
        let rank = |state: &WorkerState| match state {
            WorkerState::Serving => (0, None),
            WorkerState::Starting => (1, None),
            WorkerState::Asleep => (2, None),
            WorkerState::Restarting { next, .. } => (3, Some(*next)),
            WorkerState::Failed { next, .. } => (4, Some(*next)),
            WorkerState::Stopped => (5, None),
        };
        let states = self.0.iter().map(|view| &view.state);
        let best = states.min_by_key(|state| rank(state));
        best.expect("there is at least one process")
    }

    /// Whether a process has to be woken, or is on its way and nobody else serves.
    pub(super) fn wants(&self) -> (bool, bool) {
        let asleep = |view: &View| view.state == WorkerState::Asleep;
        let waits = matches!(self.state(), WorkerState::Asleep | WorkerState::Starting);
        (self.0.iter().any(asleep), waits)
    }

    /// The processes that have loaded their files.
    pub(crate) fn pids(&self) -> impl Iterator<Item = u32> {
        self.0.iter().filter_map(|view| view.pid)
    }

    pub(crate) fn report(&self) -> LoadReport {
        let process = |view: &View| ProcessState {
            pid: view.pid,
            state: view.state.clone(),
            starts: view.starts,
            open: view.connection.as_ref().map_or(0, Connection::open_requests),
            usage: view.pid.and_then(Usage::of),
        };
        LoadReport {
            state: self.state().clone(),
            processes: self.0.iter().map(process).collect(),
            ..(*self.newest().report).clone()
        }
    }
}

/// Why there is no worker to ask.
fn unavailable(state: &WorkerState) -> EngineError {
    const SOON: Duration = Duration::from_secs(1);
    let wait = |next: Instant| next.saturating_duration_since(Instant::now()).max(SOON);
    let (text, wait) = match state {
        WorkerState::Restarting { reason, next } => {
            (format!("{reason}; it is being started again"), wait(*next))
        }
        WorkerState::Failed { reason, next } => (
            format!("the worker ended too often; the last time: {reason}"),
            wait(*next),
        ),
        WorkerState::Serving | WorkerState::Starting | WorkerState::Asleep => {
            ("the worker has just ended".to_owned(), SOON)
        }
        WorkerState::Stopped => ("the namespace is shutting down".to_owned(), SOON),
    };
    EngineError::new(ErrorKind::Unavailable, text).with_retry_after(wait)
}
