//! Ending a process that nobody calls, until somebody does.

use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::{Supervisor, session::Session, stopped};
use crate::report::WorkerState;

impl Supervisor {
    /// Lets the process end and waits for a call; gives the task of the end. A request that has just found its way to the old process
    /// is still answered there. `None` when there is an order to stop.
    pub(super) async fn sleep(&mut self, session: Session) -> Option<AbortOnDropHandle<()>> {
        let turn = self.endings.clone().acquire_owned().await;
        let turn = turn.expect("the semaphore is never closed");
        // From here on a call sees that it has to wake somebody.
        self.wake.mark_unchanged();
        self.change(|view| {
            (view.connection, view.pid) = (None, None);
            view.state = WorkerState::Asleep;
        });
        tracing::info!(namespace = %self.plan.launch.namespace, "nobody calls, so the worker is ended until somebody does");
        let ending = self.retire(session, turn);
        let mut stop = self.stop.clone();
        tokio::select! {
            grace = stopped(&mut stop) => {
                self.change(|view| view.state = WorkerState::Stopped);
                timeout(grace, ending).await.ok();
                None
            }
            _ = self.wake.changed() => {
                self.change(|view| view.state = WorkerState::Starting);
                Some(ending)
            }
        }
    }
}
