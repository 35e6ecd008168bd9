//! What the worker of a namespace is started with, and its start.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use tokio::{
    sync::broadcast,
    time::{Instant, timeout},
};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::{
    Change, EngineError, ErrorKind,
    error::Result,
    secret::{Redactor, Secrets, redact_json},
};

use super::{
    environment::ToolEnvironment,
    session::{LAST_BREATH, Loaded, Session},
};
use crate::{
    disk::Manifest,
    engine::load,
    host::WorkerLimits,
    output::{LogTail, OutputLog},
    process::{Launch, WorkerProcess},
    rpc::{Connection, Start},
};

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
    /// Where changes are told, also those that the tools themselves tell of.
    pub changes: broadcast::Sender<Change>,
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

    fn dependency(&self, what: impl std::fmt::Display) -> EngineError {
        let text = format!("the worker of `{}` {what}", self.launch.namespace);
        EngineError::new(ErrorKind::Dependency, text)
    }

    /// Starts a process and waits for its `ready`.
    pub(super) async fn start(&self, tasks: &TaskTracker) -> Result<(Session, Loaded)> {
        if let Some(why) = self.launch.confines.isolation(true).refusal() {
            return Err(self.dependency(why));
        }
        let started = Instant::now();
        let output =
            OutputLog::new(self.launch.namespace.clone(), self.tail.clone()).without(self.redactor.clone());
        let (process, stream) = WorkerProcess::spawn(&self.launch, output.clone(), tasks)
            .map_err(|error| self.dependency(format_args!("cannot be started: {error}")))?;
        let (reader, writer) = stream.into_split();
        let (connection, driver, ready) =
            Connection::with_output(output, self.changes.clone(), reader, writer);
        let mut driver = AbortOnDropHandle::new(tasks.spawn(driver.run()));
        let missing = self.missing();
        let waiting: Vec<_> = missing
            .iter()
            .filter(|name| self.waiting.contains(*name))
            .cloned()
            .collect();
        let environment = ToolEnvironment::of(self);
        connection.start(&Start {
            env: &environment.variables,
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
        // Files that are loaded can have secrets in defaults, descriptions and errors.
        let frame = match &self.redactor {
            Some(redactor) => redact_json(&**redactor, &frame)?,
            None => frame,
        };
        let (catalog, mut report, pid) = load(&frame, &self.manifest)
            .map_err(|what| self.dependency(format_args!("sent a `ready` frame that is none: {what}")))?;
        report.isolation = self.launch.confines.isolation(report.runtime.unreadable_memory);
        if let Some(why) = report.isolation.refusal() {
            process.end(Duration::ZERO).await;
            return Err(self.dependency(why));
        }
        report.errors.extend(environment.errors);
        report.missing_secrets = missing;
        report.waiting_secrets = waiting;
        report.log(&self.launch.namespace);
        Ok((
            Session {
                connection,
                process,
                pid,
                driver,
                started,
            },
            Loaded { catalog, report },
        ))
    }
}
