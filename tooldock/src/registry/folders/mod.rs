//! Folders of Python files as a source of namespaces.

mod candidate;
mod given;
mod history;
mod mark;
mod operator;
mod state;

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use tooldock_engine::{
    EngineError, ErrorKind, NamespaceName,
    error::Result,
    secret::{NoSecrets, SecretSource},
};
use tooldock_worker::{LogProgress, NamespaceFolder, Progress, Scan, ToolsFolder, WorkerHost};

pub use self::operator::Operator;
use self::{candidate::Folder, given::Given, history::History, mark::Mark};
use super::{Candidate, NamespaceSource, Rejected, Survey};
use crate::{
    config::{ConfigFile, NamespaceConfig},
    layers::NamespaceLimits,
};

/// Folders of Python files as a source of namespaces: each gets worker processes of its own.
///
/// ```no_run
/// use tooldock::{Gateway, http::Bearer, registry::folders::Folders, worker::{HostSettings, ToolsFolder, WorkerHost}};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut settings = HostSettings::new("/var/lib/my-app");
/// settings.environment = std::env::vars().collect(); // workers inherit a few names of it
/// let folders = Folders::new(ToolsFolder::subfolders("/etc/my-app/tools"), WorkerHost::new(settings));
/// let gateway = Gateway::builder().source(folders).bearer(Bearer::anonymous()).build()?;
/// let report = gateway.load().await?;
/// assert!(report.ok, "{report:?}");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Folders {
    folder: ToolsFolder,
    host: Arc<WorkerHost>,
    secrets: Arc<dyn SecretSource>,
    only_declared: bool,
    operator: Option<Arc<Operator>>,
    only: Option<NamespaceName>,
    progress: Arc<dyn Progress>,
    mark: Mark,
    history: History,
}

impl Folders {
    /// The namespaces in `folder`, run by `host`, without secrets; what takes long is told to the log.
    #[must_use]
    pub fn new(folder: ToolsFolder, host: WorkerHost) -> Self {
        let (host, secrets, progress) = (Arc::new(host), Arc::new(NoSecrets), Arc::new(LogProgress));
        Self {
            folder,
            host,
            secrets,
            only_declared: false,
            operator: None,
            only: None,
            progress,
            mark: Mark::new(),
            history: History::default(),
        }
    }

    /// Keeps the last three versions of each namespace that served as files below `root`, so that somebody can
    /// [go back](super::Reloader::roll_back). Without this none is kept.
    #[must_use]
    pub fn with_history(mut self, root: impl Into<PathBuf>) -> Self {
        self.history = History::new(root.into());
        self
    }

    /// Gives each namespace its secrets from `source`.
    #[must_use]
    pub fn with_secrets(mut self, source: impl SecretSource) -> Self {
        self.secrets = Arc::new(source);
        self
    }

    /// Whether a namespace is given only the secrets that its `tooldock.yaml` names (`SECRETS_ONLY_DECLARED`); without this it gets every
    /// global one and all of its own.
    #[must_use]
    pub fn only_declared_secrets(mut self, only: bool) -> Self {
        self.only_declared = only;
        self
    }

    /// Runs each namespace as the operator's `config.yaml` wants it.
    #[must_use]
    pub fn with_operator(mut self, operator: Operator) -> Self {
        self.operator = Some(Arc::new(operator));
        self
    }

    /// Takes the namespace called `name` alone and leaves the others where they are.
    #[must_use]
    pub fn only(mut self, name: NamespaceName) -> Self {
        self.only = Some(name);
        self
    }

    /// Finds the interpreter and makes the environment that all namespaces share; the first start would do it as well.
    ///
    /// # Errors
    /// As [`WorkerHost::prepare`].
    ///
    /// # Cancel safety
    /// As [`WorkerHost::prepare`].
    pub async fn prepare(&self) -> Result<()> {
        self.host.prepare(&*self.progress).await
    }

    async fn scan(&self) -> Result<Scan> {
        let mut scan = self.scan_all().await?;
        if let Some(only) = &self.only {
            scan.namespaces.retain(|folder| folder.name == *only);
            scan.rejected.retain(|one| one.name == only.as_str());
        }
        Ok(scan)
    }

    async fn scan_all(&self) -> Result<Scan> {
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
        let limits = operator::limits(&config);
        let given = self.given(&folder, &limits).await?;
        Ok(Arc::new(Folder::new(
            folder,
            config,
            limits,
            &given,
            self.clone(),
        )))
    }

    /// What `folder` is given of the secrets.
    async fn given(&self, folder: &NamespaceFolder, limits: &NamespaceLimits) -> Result<Given> {
        let mut given = Given::from(&*self.secrets, folder).await?;
        if self.only_declared {
            given.retain_declared(folder);
        }
        given.hides = !limits.shows_secrets;
        Ok(given)
    }
}

#[async_trait]
impl NamespaceSource for Folders {
    async fn roll_back(&self, namespace: &NamespaceName) -> Result<()> {
        let scan = self.scan_all().await?;
        let folder = scan
            .namespaces
            .into_iter()
            .find(|folder| folder.name == *namespace);
        let folder = folder.ok_or_else(|| super::unknown_namespace(namespace.as_str()))?;
        self.history.roll_back(namespace, folder.dir).await
    }

    async fn survey(&self) -> Result<Survey> {
        let scan = self.scan().await?;
        let reject = |name: String, reason: String| Rejected { name, reason };
        let mut rejected: Vec<_> = scan
            .rejected
            .into_iter()
            .map(|one| reject(one.name, one.why))
            .collect();
        let (config, mistakes) = match &self.operator {
            Some(operator) => operator.read().await,
            None => (ConfigFile::default(), None),
        };
        if let Some(operator) = &self.operator
            && let Some(mistakes) = operator.refresh_tokens().await
        {
            rejected.push(reject("tokens".to_owned(), mistakes.to_string()));
        }
        if let Err(error) = self.secrets.refresh().await {
            rejected.push(reject("secrets".to_owned(), error.to_string()));
        }
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
