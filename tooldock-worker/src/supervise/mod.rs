//! Keeping one worker alive: start, watch, start again, stop.

mod backoff;
mod session;

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{Notify, broadcast, watch},
    time::{Instant, sleep_until},
};
use tokio_util::task::TaskTracker;
use tooldock_engine::{Catalog, Change, error::Result};

pub(crate) use self::session::Plan;
use self::{
    backoff::Backoff,
    session::{Loaded, Session},
};
use crate::{
    report::{LoadReport, WorkerState},
    rpc::Connection,
};

/// What is known about a worker right now. A new one is published at every change.
#[derive(Debug, Clone)]
pub(crate) struct View {
    /// What the last good start offered.
    pub catalog: Arc<Catalog>,
    pub report: Arc<LoadReport>,
    pub state: WorkerState,
    pub connection: Option<Connection>,
    pub pid: Option<u32>,
}

/// The task that keeps a worker alive, and how others talk to it.
#[derive(Debug)]
pub(crate) struct Supervisor {
    plan: Plan,
    view: watch::Sender<Arc<View>>,
    changes: broadcast::Sender<Change>,
    stop: watch::Receiver<Option<Duration>>,
    retry: Arc<Notify>,
    tasks: TaskTracker,
}

impl Supervisor {
    /// Starts the worker for the first time; its later lives are the matter of [`run`](Self::run).
    pub(crate) async fn start(
        plan: Plan,
        changes: broadcast::Sender<Change>,
        stop: watch::Receiver<Option<Duration>>,
        tasks: TaskTracker,
    ) -> Result<(Self, Life)> {
        let (session, loaded) = plan.start(&tasks).await?;
        let view = View {
            catalog: Arc::new(loaded.catalog),
            report: Arc::new(loaded.report),
            state: WorkerState::Serving,
            connection: Some(session.connection.clone()),
            pid: session.pid(),
        };
        let view = watch::Sender::new(Arc::new(view));
        Ok((
            Self {
                plan,
                view,
                changes,
                stop,
                retry: Arc::default(),
                tasks,
            },
            Life(session),
        ))
    }

    /// Ends the wait before the next start.
    pub(crate) fn retry(&self) -> Arc<Notify> {
        self.retry.clone()
    }

    pub(crate) fn view(&self) -> watch::Receiver<Arc<View>> {
        self.view.subscribe()
    }

    /// Keeps the worker alive until it is told to stop.
    pub(crate) async fn run(mut self, first: Life) {
        let mut backoff = Backoff::new();
        let mut next = Some(first.0);
        loop {
            let (why, lived) = match next.take() {
                Some(mut session) => {
                    let end = tokio::select! {
                        biased;
                        grace = stopped(&mut self.stop) => {
                            self.change(|view| view.state = WorkerState::Stopped);
                            session.close(grace).await;
                            return self.leave();
                        }
                        end = session.ended() => end,
                    };
                    let (started, ended) = (session.started, Instant::now());
                    // Calls from here on are told to wait, those in flight that they are lost.
                    self.change(|view| {
                        view.state = WorkerState::Restarting {
                            reason: "the worker has just ended".to_owned(),
                            next: ended,
                        }
                    });
                    (session.bury(end).await, ended - started)
                }
                None => match self.attempt().await {
                    Ok(None) => return self.leave(),
                    Ok(Some((session, loaded))) => {
                        self.serve(&session, loaded);
                        next = Some(session);
                        continue;
                    }
                    Err(error) => (error.message().to_owned(), Duration::ZERO),
                },
            };
            let now = Instant::now();
            let verdict = backoff.exited(now, lived);
            let (reason, next) = (why, now + verdict.wait);
            tracing::warn!(namespace = %self.plan.launch.namespace, reason, wait = ?verdict.wait, failed = verdict.failed, "worker ended");
            self.change(|view| {
                (view.connection, view.pid) = (None, None);
                view.state = if verdict.failed {
                    WorkerState::Failed { reason, next }
                } else {
                    WorkerState::Restarting { reason, next }
                };
            });
            tokio::select! {
                _ = stopped(&mut self.stop) => return self.leave(),
                () = sleep_until(next) => {}
                () = self.retry.notified() => {}
            }
        }
    }

    /// One more start; `None` when it was told to stop meanwhile.
    async fn attempt(&mut self) -> Result<Option<(Session, Loaded)>> {
        tokio::select! {
            _ = stopped(&mut self.stop) => Ok(None),
            started = self.plan.start(&self.tasks) => started.map(Some),
        }
    }

    fn serve(&self, session: &Session, loaded: Loaded) {
        let changed = self.view.borrow().catalog.digest() != loaded.catalog.digest();
        self.change(|view| {
            if changed {
                view.catalog = Arc::new(loaded.catalog);
            }
            view.report = Arc::new(loaded.report);
            view.state = WorkerState::Serving;
            view.connection = Some(session.connection.clone());
            view.pid = session.pid();
        });
        tracing::info!(namespace = %self.plan.launch.namespace, pid = session.pid(), "worker is serving again");
        if changed {
            // Without anybody who listens there is nobody to tell.
            self.changes.send(Change::Tools).ok();
        }
    }

    fn leave(&self) {
        self.change(|view| {
            (view.connection, view.pid) = (None, None);
            view.state = WorkerState::Stopped;
        });
    }

    fn change(&self, change: impl FnOnce(&mut View)) {
        self.view.send_modify(|view| change(Arc::make_mut(view)));
    }
}

/// A worker that runs, on its way to the task that keeps it alive.
#[derive(Debug)]
pub(crate) struct Life(Session);

/// Waits for the order to stop; an owner that is gone gives it too.
async fn stopped(stop: &mut watch::Receiver<Option<Duration>>) -> Duration {
    match stop.wait_for(Option::is_some).await {
        Ok(grace) => (*grace).unwrap_or_default(),
        Err(_) => Duration::ZERO,
    }
}
