//! All processes of one namespace.

use std::{iter, sync::Arc, time::Duration};

use tokio::sync::{Semaphore, broadcast, watch};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::{Change, Changes, error::Result};

use super::{
    Supervisor,
    activity::{Activity, Busy},
    board::{Board, View},
    plan::Plan,
};

/// Processes of one namespace that are started at the same time.
const STARTS_AT_ONCE: usize = 2;

/// All processes of one namespace, each kept alive by a task. Dropping it kills them.
#[derive(Debug)]
pub(crate) struct Crew {
    board: watch::Receiver<Arc<Board>>,
    changes: broadcast::WeakSender<Change>,
    stop: watch::Sender<Option<Duration>>,
    retry: watch::Sender<()>,
    wake: watch::Sender<()>,
    activity: Arc<Activity>,
    _supervisors: Vec<AbortOnDropHandle<()>>,
}

impl Crew {
    /// Starts the first process and waits until it serves; the others come up beside it.
    pub(crate) async fn start(plan: Plan, processes: usize) -> Result<Self> {
        let tasks = TaskTracker::new();
        let (session, loaded) = plan.start(&tasks).await?;
        let first = View::serving(&session, Arc::new(loaded.catalog), Arc::new(loaded.report));
        let beside = first.beside();
        let others = iter::repeat_n(beside, processes.saturating_sub(1));
        let board = watch::Sender::new(Arc::new(Board(iter::once(first).chain(others).collect())));
        let (plan, board, turns) = (
            Arc::new(plan),
            Arc::new(board),
            Arc::new(Semaphore::new(STARTS_AT_ONCE)),
        );
        let changes = plan.changes.clone();
        let (stop, retry, wake) = (
            watch::Sender::new(None),
            watch::Sender::new(()),
            watch::Sender::new(()),
        );
        let activity = Arc::new(Activity::new());
        let supervisor = |place| Supervisor {
            plan: plan.clone(),
            place,
            board: board.clone(),
            changes: changes.clone(),
            stop: stop.subscribe(),
            retry: retry.subscribe(),
            wake: wake.subscribe(),
            activity: activity.clone(),
            turns: turns.clone(),
            endings: Arc::new(Semaphore::new(1)),
            tasks: tasks.clone(),
        };
        let mut session = Some(session);
        let supervisors = (0..processes.max(1))
            .map(|place| AbortOnDropHandle::new(tasks.spawn(supervisor(place).run(session.take()))))
            .collect();
        Ok(Self {
            board: board.subscribe(),
            changes: changes.downgrade(),
            stop,
            retry,
            wake,
            activity,
            _supervisors: supervisors,
        })
    }

    /// What is known right now.
    pub(crate) fn board(&self) -> Arc<Board> {
        self.board.borrow().clone()
    }

    /// Notes that a request begins, until what is returned is dropped, and wakes processes that are asleep.
    pub(crate) async fn enter(&self) -> (Busy, Arc<Board>) {
        let busy = self.activity.enter();
        let board = self.board();
        let (asleep, waits) = board.wants();
        if asleep {
            self.wake.send_replace(());
        }
        if !waits {
            return (busy, board);
        }
        // A start has a limit of its own, so this ends. An error means that all is over, which the board says as well.
        let mut watch = self.watch();
        watch.wait_for(|board| !board.wants().1).await.ok();
        (busy, self.board())
    }

    /// Tells what will be known; it ends when all is over.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<Board>> {
        self.board.clone()
    }

    pub(crate) fn changes(&self) -> Changes {
        match self.changes.upgrade() {
            Some(changes) => Changes::from_receiver(changes.subscribe()),
            None => Changes::never(),
        }
    }

    /// Ends all waits before a next start.
    pub(crate) fn retry(&self) {
        self.retry.send_replace(());
    }

    /// Ends every process, after `grace` at the latest, and waits until all is over.
    pub(crate) async fn shutdown(&self, grace: Duration) {
        self.stop.send_if_modified(|stop| {
            let first = stop.is_none();
            *stop = stop.or(Some(grace));
            first
        });
        // Each supervisor publishes `Stopped` early, so that nothing new comes in; the last one drops the board when all is over.
        let mut board = self.watch();
        while board.changed().await.is_ok() {}
    }
}
