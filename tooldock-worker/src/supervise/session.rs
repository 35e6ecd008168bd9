//! One life of a worker: from its start to its end.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use tokio::time::{Instant, timeout};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::{
    Catalog, EngineError, ErrorKind, NamespaceName,
    error::Result,
    secret::{Redactor, Secrets},
};

use super::watchdog::{Stuck, Watchdog};
use crate::{
    disk::Manifest,
    engine::load,
    host::WorkerLimits,
    output::{LogTail, OutputLog},
    process::{Launch, WorkerProcess},
    report::LoadReport,
    rpc::{Connection, End, Start},
};

/// How long answers may still be read after a process has ended.
const LAST_ANSWERS: Duration = Duration::from_millis(250);
/// How long a process may take to end by itself after it closed its channel.
const LAST_BREATH: Duration = Duration::from_millis(500);
/// How long a process may take to obey TERM.
const TERM_GRACE: Duration = Duration::from_secs(1);
/// How long a stuck process may take to say where it is stuck.
const DUMP_GRACE: Duration = Duration::from_millis(500);

/// Everything needed to start the worker of one namespace, again and again.
#[derive(Debug)]
pub(crate) struct Plan {
    pub launch: Launch,
    pub manifest: Manifest,
    /// What the operator puts into the environment.
    pub environment: BTreeMap<String, String>,
    pub secrets: Secrets,
    /// Names without a value that somebody has prepared.
    pub waiting: BTreeSet<String>,
    /// What takes secrets out of what its processes print.
    pub redactor: Option<Arc<dyn Redactor>>,
    pub limits: WorkerLimits,
    /// Where everything goes that its processes print.
    pub tail: LogTail,
}

/// A worker that has said `ready`.
#[derive(Debug)]
pub(super) struct Session {
    pub connection: Connection,
    process: WorkerProcess,
    driver: AbortOnDropHandle<End>,
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

impl Plan {
    /// Secrets that are declared and have no value.
    fn missing(&self) -> Vec<String> {
        self.manifest
            .secrets
            .iter()
            .filter(|name| !self.secrets.contains_key(*name))
            .cloned()
            .collect()
    }

    /// The environment of the tools: defaults of the folder, over them the operator, over both the secrets.
    fn env(&self) -> BTreeMap<&str, &str> {
        let texts = self.manifest.env.iter().chain(&self.environment);
        let texts = texts.map(|(name, value)| (name.as_str(), value.as_str()));
        let secrets = self.secrets.iter();
        texts
            .chain(secrets.map(|(name, value)| (name.as_str(), value.expose())))
            .collect()
    }

    fn dependency(&self, what: impl std::fmt::Display) -> EngineError {
        let text = format!("the worker of `{}` {what}", self.launch.namespace);
        EngineError::new(ErrorKind::Dependency, text)
    }

    /// Starts a process and waits for its `ready`.
    pub(super) async fn start(&self, tasks: &TaskTracker) -> Result<(Session, Loaded)> {
        let started = Instant::now();
        let output =
            OutputLog::new(self.launch.namespace.clone(), self.tail.clone()).without(self.redactor.clone());
        let (process, stream) = WorkerProcess::spawn(&self.launch, output.clone(), tasks)
            .map_err(|error| self.dependency(format_args!("cannot be started: {error}")))?;
        let (reader, writer) = stream.into_split();
        let (connection, driver, ready) = Connection::with_output(output, reader, writer);
        let mut driver = AbortOnDropHandle::new(tasks.spawn(driver.run()));
        let missing = self.missing();
        let waiting: Vec<_> = missing
            .iter()
            .filter(|name| self.waiting.contains(*name))
            .cloned()
            .collect();
        connection.start(&Start {
            env: self.env(),
            threads: self.limits.threads,
            max_result_bytes: self.limits.max_result_bytes,
            declared: &self.manifest.secrets,
            missing: &missing,
            waiting: &waiting,
        });
        let limit = self.limits.start_time;
        let ready = async {
            tokio::select! {
                biased;
                ready = ready => ready.ok(),
                _ = &mut driver => None,
            }
        };
        let frame = match timeout(limit, ready).await {
            Ok(Some(frame)) => frame,
            Ok(None) => {
                let exit = process.end(LAST_BREATH).await;
                exit.log(&self.launch.namespace);
                return Err(self.dependency(format_args!(
                    "ended before it was ready ({exit}); the log has its last words; correct its files and reload"
                )));
            }
            Err(_) => {
                process.end(Duration::ZERO).await;
                let seconds = limit.as_secs_f32();
                let what = format!(
                    "was not ready after {seconds} s and was stopped; importing its files must not take longer (WORKER_START_SECONDS)"
                );
                return Err(self.dependency(what));
            }
        };
        let (catalog, mut report) = load(&frame, self.manifest.about())
            .map_err(|what| self.dependency(format_args!("sent a `ready` frame that is none: {what}")))?;
        report.missing_secrets = missing;
        report.waiting_secrets = waiting;
        report.log(&self.launch.namespace);
        Ok((
            Session {
                connection,
                process,
                driver,
                started,
            },
            Loaded { catalog, report },
        ))
    }
}

impl Session {
    pub(super) fn pid(&self) -> Option<u32> {
        self.process.pid()
    }

    /// Waits until the process or its channel has ended, or it is stuck. What is left of it is removed by [`bury`](Self::bury).
    pub(super) async fn over(&mut self, limits: &WorkerLimits) -> Cause {
        let watchdog = Watchdog {
            connection: self.connection.clone(),
            pid: self.pid(),
            limits,
        };
        tokio::select! {
            biased;
            end = &mut self.driver => Cause::Ended(end.ok()),
            // A descendant may hold the channel open, so the end of the process counts as well; what it answered is still read.
            _ = self.process.wait() => {
                Cause::Ended(timeout(LAST_ANSWERS, &mut self.driver).await.ok().and_then(|end| end.ok()))
            }
            stuck = watchdog.watch() => Cause::Stuck(stuck),
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
