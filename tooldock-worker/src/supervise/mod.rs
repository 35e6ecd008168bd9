//! Keeping workers alive: start, watch, start again, stop.

mod activity;
mod backoff;
mod board;
mod crew;
mod crowd;
mod environment;
mod lost;
mod plan;
mod session;
mod sleep;
mod successor;
mod watchdog;
mod wear;

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{Semaphore, broadcast, watch},
    time::{Instant, sleep_until, timeout},
};
use tokio_util::task::TaskTracker;
use tooldock_engine::{Catalog, Change, error::Result};

use self::{
    activity::Activity,
    backoff::Backoff,
    board::{Board, View},
    lost::Lost,
    session::{Loaded, Session},
    successor::Successor,
    wear::Life,
};
pub(crate) use self::{crew::Crew, plan::Plan};
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
    wake: watch::Receiver<()>,
    activity: Arc<Activity>,
    /// Who may start a process right now.
    turns: Arc<Semaphore>,
    /// Who may let an old process end beside the new one right now.
    endings: Arc<Semaphore>,
    tasks: TaskTracker,
}

impl Supervisor {
    /// Keeps the worker alive until it is told to stop.
    async fn run(mut self, first: Option<Session>) {
        let (mut backoff, mut next, mut stop) = (Backoff::new(), first, self.stop.clone());
        // The process before this one, while it ends. Dropping it kills it.
        let mut old = None;
        loop {
            let (why, lived) = match next.take() {
                Some(mut session) => {
                    let life = Life::of(&session);
                    let cause = tokio::select! {
                        biased;
                        grace = stopped(&mut stop) => {
                            self.change(|view| view.state = WorkerState::Stopped);
                            let ends = async {
                                if let Some(old) = old.take() {
                                    timeout(grace, old).await.ok();
                                }
                            };
                            tokio::join!(session.close(grace), ends);
                            return self.leave();
                        }
                        cause = session.over(&self.plan) => cause,
                        () = self.activity.idle(self.plan.limits.idle) => {
                            let Some(ending) = self.sleep(session).await else {
                                return self.leave();
                            };
                            old = Some(ending);
                            continue;
                        }
                        successor = self.successor(&life) => {
                            let Successor { session: new, loaded, turn } = successor;
                            self.serve(&new, loaded);
                            next = Some(new);
                            old = Some(self.retire(session, turn));
                            continue;
                        }
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
                _ = stopped(&mut stop) => return self.leave(),
                () = sleep_until(next) => {}
                // A channel that is closed is an order to stop.
                _ = self.retry.changed() => {}
            }
        }
    }

    /// One more start; `None` when it was told to stop meanwhile.
    async fn attempt(&mut self) -> Result<Option<(Session, Loaded)>> {
        self.retry.mark_unchanged();
        let mut stop = self.stop.clone();
        tokio::select! {
            _ = stopped(&mut stop) => Ok(None),
            started = self.begin() => started.map(Some),
        }
    }

    /// Starts a process when it is its turn.
    async fn begin(&self) -> Result<(Session, Loaded)> {
        // Others must not fall asleep before this one is there.
        let _busy = self.activity.enter();
        let _turn = self.turns.acquire().await;
        self.plan.start(&self.tasks).await
    }

    /// Publishes a process. One that lost tools because their files broke changes nothing that is published.
    fn serve(&self, session: &Session, mut loaded: Loaded) {
        let mut changed = Vec::new();
        self.board.send_modify(|board| {
            let known = board.newest();
            let lost = Lost::find(known, &loaded);
            let sources = known.report.sources.iter();
            let kept = sources.filter(|source| lost.contains(&source.tool));
            loaded.report.sources.extend(kept.cloned());
            let another = lost.is_empty() && known.catalog.digest() != loaded.catalog.digest();
            if another {
                changed = differences(&known.catalog, &loaded.catalog);
            }
            // What has not changed stays one and the same catalog for all processes.
            let catalog = if another {
                Arc::new(loaded.catalog)
            } else {
                known.catalog.clone()
            };
            let view = View::serving(session, catalog, Arc::new(loaded.report));
            let place = &mut Arc::make_mut(board).0[self.place];
            *place = View {
                lost: Arc::new(lost),
                starts: place.starts + 1,
                ..view
            };
        });
        tracing::info!(namespace = %self.plan.launch.namespace, pid = session.pid, "worker is serving");
        for change in changed {
            // Without anybody who listens there is nobody to tell.
            self.changes.send(change).ok();
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

/// The lists in which two catalogs differ.
fn differences(old: &Catalog, new: &Catalog) -> Vec<Change> {
    let resources = old.resources() != new.resources() || old.templates() != new.templates();
    let lists = [
        (old.tools() != new.tools(), Change::Tools),
        (resources, Change::Resources),
        (old.prompts() != new.prompts(), Change::Prompts),
    ];
    lists
        .into_iter()
        .filter_map(|(differs, change)| differs.then_some(change))
        .collect()
}

/// Waits for the order to stop; an owner that is gone gives it too.
async fn stopped(stop: &mut watch::Receiver<Option<Duration>>) -> Duration {
    match stop.wait_for(Option::is_some).await {
        Ok(grace) => (*grace).unwrap_or_default(),
        Err(_) => Duration::ZERO,
    }
}
