//! Folders of Python files as a source of namespaces.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tooldock_engine::{
    EngineError, ErrorKind, NamespaceName, ToolEngine,
    error::Result,
    secret::{SecretSource, Secrets},
};
use tooldock_worker::{
    LoadError, NamespaceFolder, Progress, ToolSource, ToolsFolder, WorkerEngine, WorkerHost,
};

use super::{
    Candidate, Describe, LoadProblem, LogEntry, NamespaceSource, NamespaceState, Rejected, Started, Survey,
    Tell, ToolPlace,
};

/// Folders of Python files as a source of namespaces: each gets a worker process of its own.
#[derive(Debug, Clone)]
pub struct Folders {
    folder: ToolsFolder,
    host: Arc<WorkerHost>,
    secrets: Arc<dyn SecretSource>,
    progress: Arc<dyn Progress>,
}

impl Folders {
    /// The namespaces in `folder`, run by `host`, each with its `secrets`.
    pub fn new(
        folder: ToolsFolder,
        host: Arc<WorkerHost>,
        secrets: Arc<dyn SecretSource>,
        progress: Arc<dyn Progress>,
    ) -> Self {
        Self {
            folder,
            host,
            secrets,
            progress,
        }
    }

    async fn candidate(&self, folder: NamespaceFolder) -> Result<Arc<dyn Candidate>> {
        let secrets = self.secrets.secrets(&folder.name).await?;
        let fingerprint = fingerprint(&folder, &secrets);
        Ok(Arc::new(Folder {
            folder,
            fingerprint,
            source: self.clone(),
        }))
    }
}

/// A digest of everything a worker is started with; of secrets nothing else is kept.
fn fingerprint(folder: &NamespaceFolder, secrets: &Secrets) -> String {
    let mut hash = Sha256::new_with_prefix(&folder.digest);
    for (name, value) in secrets {
        for part in [name.as_str(), value.expose()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[async_trait]
impl NamespaceSource for Folders {
    async fn survey(&self) -> Result<Survey> {
        let folder = self.folder.clone();
        let unreadable = |text: String| EngineError::new(ErrorKind::Internal, text);
        let scan = tokio::task::spawn_blocking(move || folder.scan())
            .await
            .map_err(|error| {
                unreadable("looking through the tools folder broke".to_owned()).with_source(error)
            })?
            .map_err(|error| {
                unreadable(format!("the tools folder cannot be read: {error}")).with_source(error)
            })?;
        let mut candidates = Vec::with_capacity(scan.namespaces.len());
        for folder in scan.namespaces {
            candidates.push(self.candidate(folder).await?);
        }
        let rejected = scan
            .rejected
            .into_iter()
            .map(|one| Rejected {
                name: one.name,
                reason: one.why,
            })
            .collect();
        Ok(Survey { candidates, rejected })
    }
}

/// One folder that can become a namespace.
#[derive(Debug)]
struct Folder {
    folder: NamespaceFolder,
    fingerprint: String,
    source: Folders,
}

#[async_trait]
impl Candidate for Folder {
    fn namespace(&self) -> &NamespaceName {
        &self.folder.name
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    async fn start(&self, tell: Tell<'_>) -> Result<Started> {
        // Read again rather than kept: values live in memory only where they are used.
        let secrets = self.source.secrets.secrets(&self.folder.name).await?;
        let engine = Arc::new(
            self.source
                .host
                .start(
                    &self.folder,
                    &tooldock_worker::NamespaceOptions::default(),
                    secrets,
                    &Telling {
                        log: &*self.source.progress,
                        tell,
                    },
                )
                .await?,
        );
        Ok(Started {
            engine: engine.clone() as Arc<dyn ToolEngine>,
            state: engine,
        })
    }
}

/// Tells progress to the log and to whoever listens to the reload.
struct Telling<'a> {
    log: &'a dyn Progress,
    tell: Tell<'a>,
}

impl fmt::Debug for Telling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Telling").field(&self.log).finish()
    }
}

impl Progress for Telling<'_> {
    fn say(&self, namespace: Option<&NamespaceName>, text: &str) {
        self.log.say(namespace, text);
        (self.tell)(text);
    }
}

impl Describe for WorkerEngine {
    fn tools(&self) -> Vec<ToolPlace> {
        let place = |source: ToolSource| ToolPlace {
            tool: source.tool,
            file: source.file,
            line: source.line,
        };
        self.report().sources.into_iter().map(place).collect()
    }

    fn log(&self, _lines: usize) -> Vec<LogEntry> {
        Vec::new()
    }

    fn retry(&self) {
        Self::retry(self);
    }

    fn describe(&self) -> NamespaceState {
        let report = self.report();
        let runtime = &report.runtime;
        NamespaceState {
            state: report.state.label(),
            reason: report.state.reason().map(str::to_owned),
            pid: self.pid(),
            errors: report.errors.iter().map(load_problem).collect(),
            runtime: Some(json!({
                "python": runtime.python, "fastmcp": runtime.fastmcp, "validator": runtime.validator, "load_ms": report.load_ms,
            })),
            missing_secrets: report.missing_secrets,
        }
    }
}

/// The traceback stays in the log.
fn load_problem(error: &LoadError) -> LoadProblem {
    LoadProblem {
        file: error.file.clone(),
        tool: error.tool.clone(),
        line: error.line,
        message: error.message.clone(),
        hint: error.hint.clone(),
    }
}
