//! Folders of Python files as a source of namespaces.

mod candidate;
mod operator;
mod state;

use std::sync::Arc;

use async_trait::async_trait;
use tooldock_engine::{EngineError, ErrorKind, error::Result, secret::SecretSource};
use tooldock_worker::{NamespaceFolder, Progress, Scan, ToolsFolder, WorkerHost};

use self::candidate::Folder;
pub use self::operator::Operator;
use super::{Candidate, NamespaceSource, Rejected, Survey};
use crate::config::NamespaceConfig;

/// Folders of Python files as a source of namespaces: each gets worker processes of its own.
#[derive(Debug, Clone)]
pub struct Folders {
    folder: ToolsFolder,
    host: Arc<WorkerHost>,
    secrets: Arc<dyn SecretSource>,
    operator: Arc<Operator>,
    progress: Arc<dyn Progress>,
}

impl Folders {
    /// The namespaces in `folder`, run by `host` as the `operator` wants it, each with its `secrets`.
    pub fn new(
        folder: ToolsFolder,
        host: Arc<WorkerHost>,
        secrets: Arc<dyn SecretSource>,
        operator: Arc<Operator>,
        progress: Arc<dyn Progress>,
    ) -> Self {
        Self {
            folder,
            host,
            secrets,
            operator,
            progress,
        }
    }

    async fn scan(&self) -> Result<Scan> {
        let folder = self.folder.clone();
        let unreadable = |text: String| EngineError::new(ErrorKind::Internal, text);
        tokio::task::spawn_blocking(move || folder.scan())
            .await
            .map_err(|error| {
                unreadable("looking through the tools folder broke".to_owned()).with_source(error)
            })?
            .map_err(|error| {
                unreadable(format!("the tools folder cannot be read: {error}")).with_source(error)
            })
    }

    async fn candidate(
        &self,
        folder: NamespaceFolder,
        config: NamespaceConfig,
    ) -> Result<Arc<dyn Candidate>> {
        let secrets = self.secrets.secrets(&folder.name).await?;
        Ok(Arc::new(Folder::new(folder, config, &secrets, self.clone())))
    }
}

#[async_trait]
impl NamespaceSource for Folders {
    async fn survey(&self) -> Result<Survey> {
        let scan = self.scan().await?;
        let reject = |name: String, reason: String| Rejected { name, reason };
        let mut rejected: Vec<_> = scan
            .rejected
            .into_iter()
            .map(|one| reject(one.name, one.why))
            .collect();
        let (config, mistakes) = self.operator.read().await;
        rejected.extend(mistakes.map(|mistakes| reject("config.yaml".to_owned(), mistakes.to_string())));
        let mut candidates = Vec::with_capacity(scan.namespaces.len());
        for folder in scan.namespaces {
            let own = config.namespace(&folder.name);
            if own.enabled {
                candidates.push(self.candidate(folder, own).await?);
            } else {
                rejected.push(reject(
                    folder.name.to_string(),
                    "config.yaml says `enabled: false`".to_owned(),
                ));
            }
        }
        Ok(Survey { candidates, rejected })
    }
}
