//! Folders of Python files as a source of namespaces.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tooldock_engine::{
    EngineError, ErrorKind, NamespaceName, ToolEngine,
    error::Result,
    secret::{SecretSource, Secrets},
};
use tooldock_worker::{LoadError, NamespaceFolder, Progress, ToolsFolder, WorkerEngine, WorkerHost};

use super::{Candidate, Describe, LoadProblem, NamespaceSource, NamespaceState, Rejected, Started, Survey};

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

    async fn start(&self) -> Result<Started> {
        // Read again rather than kept: values live in memory only where they are used.
        let secrets = self.source.secrets.secrets(&self.folder.name).await?;
        let engine = Arc::new(
            self.source
                .host
                .start(&self.folder, secrets, &*self.source.progress)
                .await?,
        );
        Ok(Started {
            engine: engine.clone() as Arc<dyn ToolEngine>,
            state: engine,
        })
    }
}

impl Describe for WorkerEngine {
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
