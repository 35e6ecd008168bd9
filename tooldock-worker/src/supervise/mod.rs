//! Keeping workers alive: start, watch, start again, stop.

mod backoff;
mod board;
mod crew;
mod session;
mod watchdog;

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{Semaphore, broadcast, watch},
    time::{Instant, sleep_until},
};
use tokio_util::task::TaskTracker;
use tooldock_engine::{Change, error::Result};

use self::{
    backoff::Backoff,
    board::{Board, View},
    session::{Loaded, Session},
};
pub(crate) use self::{crew::Crew, session::Plan};
use crate::report::WorkerState;

/// The task that keeps one process of a namespace alive.
#[derive(Debug)]
struct Supervisor {
    plan: Arc<Plan>,
    /// Its place on the board.
    place: usize,
    board: Arc<watch::Sender<Arc<Board>>>,
    changes: broadcast::Sender<Change>,
    stop: watch::Receiver<Option<Duration>>,
    retry: watch::Receiver<()>,
    /// Who may start a process right now.
    turns: Arc<Semaphore>,
    tasks: TaskTracker,
}

impl Supervisor {
    /// Keeps the worker alive until it is told to stop.
    async fn run(mut self, first: Option<Session>) {
        let (mut backoff, mut next) = (Backoff::new(), first);
        loop {
            let (why, lived) = match next.take() {
                Some(mut session) => {
                    let cause = tokio::select! {
                        biased;
                        grace = stopped(&mut self.stop) => {
                            self.change(|view| view.state = WorkerState::Stopped);
                            session.close(grace).await;
                            return self.leave();
                        }
                        cause = session.over(&self.plan.limits) => cause,
                    };
                    let (started, ended) = (session.started, Instant::now());
                    self.retry.mark_unchanged();
                    // Calls from here on are told to wait, those in flight that they are lost.
                    self.change(|view| {
                        view.state = WorkerState::Restarting {
                            reason: "the worker has just ended".to_owned(),
                            next: ended,
                        }
                    });
                    (
                        session.bury(cause, &self.plan.launch.namespace).await,
                        ended - started,
                    )
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
                // A channel that is closed is an order to stop.
                _ = self.retry.changed() => {}
            }
        }
    }

    /// One more start; `None` when it was told to stop meanwhile.
    async fn attempt(&mut self) -> Result<Option<(Session, Loaded)>> {
        self.retry.mark_unchanged();
        let start = async {
            let _turn = self.turns.acquire().await;
            self.plan.start(&self.tasks).await
        };
        tokio::select! {
            _ = stopped(&mut self.stop) => Ok(None),
            started = start => started.map(Some),
        }
    }

    fn serve(&self, session: &Session, loaded: Loaded) {
        let changed = self.board.borrow().newest().catalog.digest() != loaded.catalog.digest();
        self.board.send_modify(|board| {
            // What has not changed stays one and the same catalog for all processes.
            let catalog = if changed {
                Arc::new(loaded.catalog)
            } else {
                board.newest().catalog.clone()
            };
            let view = View::serving(session, catalog, Arc::new(loaded.report));
            Arc::make_mut(board).0[self.place] = view;
        });
        tracing::info!(namespace = %self.plan.launch.namespace, pid = session.pid(), "worker is serving");
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
        self.board
            .send_modify(|board| change(&mut Arc::make_mut(board).0[self.place]));
    }
}

/// Waits for the order to stop; an owner that is gone gives it too.
async fn stopped(stop: &mut watch::Receiver<Option<Duration>>) -> Duration {
    match stop.wait_for(Option::is_some).await {
        Ok(grace) => (*grace).unwrap_or_default(),
        Err(_) => Duration::ZERO,
    }
}
