//! One life of a worker: from its start to its end.

use std::time::Duration;

use tokio::time::{Instant, timeout};
use tokio_util::task::AbortOnDropHandle;
use tooldock_engine::{Catalog, ErrorKind, NamespaceName};

use super::{
    crowd::Crowd,
    plan::Plan,
    watchdog::{Stuck, Watchdog},
};
use crate::{
    process::WorkerProcess,
    report::LoadReport,
    rpc::{Connection, End},
};

/// How long answers may still be read after a process has ended.
const LAST_ANSWERS: Duration = Duration::from_millis(250);
/// How long a process may take to end by itself after it closed its channel.
pub(super) const LAST_BREATH: Duration = Duration::from_millis(500);
/// How long a process may take to obey TERM.
const TERM_GRACE: Duration = Duration::from_secs(1);
/// How long a stuck process may take to say where it is stuck.
const DUMP_GRACE: Duration = Duration::from_millis(500);

/// A worker that has said `ready`.
#[derive(Debug)]
pub(super) struct Session {
    pub connection: Connection,
    pub(super) process: WorkerProcess,
    /// The process that runs the tools, as it says itself.
    pub(super) pid: Option<u32>,
    pub(super) driver: AbortOnDropHandle<End>,
    pub started: Instant,
}

/// Why a life is over.
#[derive(Debug)]
pub(super) enum Cause {
    /// The process or its channel has ended, the channel maybe for a reason.
    Ended(Option<End>),
    /// It does nothing any more.
    Stuck(Stuck),
}

/// What a worker said at its start.
#[derive(Debug)]
pub(super) struct Loaded {
    pub catalog: Catalog,
    pub report: LoadReport,
}

impl Session {
    /// Waits until the process or its channel has ended, or it is stuck. What is left of it is removed by [`bury`](Self::bury).
    pub(super) async fn over(&mut self, plan: &Plan) -> Cause {
        let watchdog = Watchdog {
            connection: self.connection.clone(),
            pid: self.pid,
            limits: &plan.limits,
        };
        let crowd = Crowd {
            warden: self.process.warden(),
            settings: &plan.launch.confines.settings,
        };
        tokio::select! {
            biased;
            end = &mut self.driver => Cause::Ended(end.ok()),
            // A descendant may hold the channel open, so the end of the process counts as well; what it answered is still read.
            _ = self.process.wait() => {
                Cause::Ended(timeout(LAST_ANSWERS, &mut self.driver).await.ok().and_then(|end| end.ok()))
            }
            stuck = watchdog.watch() => Cause::Stuck(stuck),
            stuck = crowd.watch() => Cause::Stuck(stuck),
        }
    }

    /// Ends what is left of the process, tells its open calls, and says what happened. Its last words go to the log.
    pub(super) async fn bury(self, cause: Cause, namespace: &NamespaceName) -> String {
        let mut process = self.process;
        let told = async |process: WorkerProcess| {
            let exit = process.end(Duration::ZERO).await;
            exit.log(namespace);
            exit
        };
        let why = match cause {
            Cause::Stuck(stuck) => {
                process.dump(DUMP_GRACE).await;
                told(process).await;
                format!("the worker {stuck} and was stopped")
            }
            Cause::Ended(Some(breach)) if breach.is_breach() => {
                let exit = told(process).await;
                format!("the worker {breach} and was stopped ({exit})")
            }
            Cause::Ended(_) => {
                timeout(LAST_BREATH, process.wait()).await.ok();
                let exit = told(process).await;
                if exit.is_killed() {
                    tracing::warn!(%namespace, "the worker was killed from outside; so the system does when memory runs out");
                }
                format!("the worker died ({exit})")
            }
        };
        self.connection
            .end(ErrorKind::Crashed, &format!("{why}; it is being started again"));
        why
    }

    /// Lets running calls end, up to `grace`, then ends the process.
    pub(super) async fn close(mut self, grace: Duration) {
        let leave = async {
            self.connection.shutdown(grace).await.ok();
            self.process.wait().await.ok();
        };
        timeout(grace + TERM_GRACE, leave).await.ok();
        self.process.end(TERM_GRACE).await;
        self.connection.end(
            ErrorKind::Unavailable,
            "the namespace was shut down during the call",
        );
    }
}
