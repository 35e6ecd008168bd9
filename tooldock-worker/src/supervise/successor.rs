//! Starting a process beside one that is better replaced, and letting the old one end.

use std::time::Duration;

use tokio::{sync::OwnedSemaphorePermit, time::sleep};
use tokio_util::task::AbortOnDropHandle;

use super::{
    Supervisor,
    session::{Loaded, Session},
    wear::{Life, Wear},
};

/// How long after a start that failed the next one is tried.
const AGAIN: Duration = Duration::from_secs(10);
/// A call that has just found its way may arrive so much later.
const LINGER: Duration = Duration::from_millis(250);
/// How long calls may go on in a process that was replaced, where no limit for calls is known.
const CALL_TIME: Duration = Duration::from_secs(60);

/// A process that has loaded its files beside the one it follows.
pub(super) struct Successor {
    pub session: Session,
    pub loaded: Loaded,
    /// The right to have an old process end beside a new one; there is one for each place, so processes cannot pile up.
    pub turn: OwnedSemaphorePermit,
}

impl Supervisor {
    /// Waits until the process is better replaced, and starts what replaces it. A start that fails is tried
    /// again later: the old process is better than none.
    pub(super) async fn successor(&self, life: &Life) -> Successor {
        let mut retry = self.retry.clone();
        loop {
            let incomplete = !self.board.borrow().0[self.place].lost.is_empty();
            let wear = tokio::select! {
                wear = life.worn(&self.plan.limits) => wear,
                Ok(()) = retry.changed(), if incomplete => Wear::Incomplete,
            };
            tracing::info!(namespace = %self.plan.launch.namespace, "the worker is replaced: {wear}");
            let turn = self.endings.clone().acquire_owned().await;
            let turn = turn.expect("the semaphore is never closed");
            match self.begin().await {
                Ok((session, loaded)) => {
                    return Successor {
                        session,
                        loaded,
                        turn,
                    };
                }
                Err(error) => {
                    tracing::warn!(namespace = %self.plan.launch.namespace, %error, "a worn worker cannot be replaced yet");
                }
            }
            sleep(AGAIN).await;
        }
    }

    /// Lets the calls of a process that was replaced end.
    pub(super) fn retire(&self, old: Session, turn: OwnedSemaphorePermit) -> AbortOnDropHandle<()> {
        let grace = self.plan.limits.call_time.unwrap_or(CALL_TIME);
        AbortOnDropHandle::new(self.tasks.spawn(async move {
            sleep(LINGER).await;
            old.close(grace).await;
            drop(turn);
        }))
    }
}
