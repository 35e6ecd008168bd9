//! One folder that can become a namespace.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use tooldock_engine::{NamespaceName, ToolEngine, error::Result};
use tooldock_worker::{NamespaceFolder, NamespaceOptions, Progress};

use super::{
    super::{Candidate, Started, Tell, Version},
    Folders,
    given::Given,
};
use crate::{config::NamespaceConfig, layers::NamespaceLimits};

/// One folder that can become a namespace.
#[derive(Debug)]
pub(super) struct Folder {
    folder: NamespaceFolder,
    options: NamespaceOptions,
    limits: NamespaceLimits,
    version: Version,
    source: Folders,
}

impl Folder {
    pub(super) fn new(
        folder: NamespaceFolder,
        config: NamespaceConfig,
        limits: NamespaceLimits,
        given: &Given,
        source: Folders,
    ) -> Self {
        let mut options = NamespaceOptions::default();
        options.workers = config.workers;
        options.sandbox = config.sandbox.changes();
        options.environment = config.environment;
        let version = Version {
            content: source.mark.of_content(&folder, &options, given),
            policies: source.mark.of(&format!("{limits:?}")),
        };
        Self {
            folder,
            options,
            limits,
            version,
            source,
        }
    }
}

#[async_trait]
impl Candidate for Folder {
    fn namespace(&self) -> &NamespaceName {
        &self.folder.name
    }

    fn version(&self) -> &Version {
        &self.version
    }

    fn apply_policies(&self) {
        if let Some(operator) = &self.source.operator {
            operator.apply(&self.folder.name, &self.limits);
        }
    }

    async fn start(&self, tell: Tell<'_>) -> Result<Started> {
        let Folders { host, progress, .. } = &self.source;
        // Read again rather than kept: values live in memory only where they are used.
        let given = self.source.given(&self.folder, &self.limits).await?;
        let mut options = self.options.clone();
        options.redactor = given.redactor();
        options.waiting = given.waiting;
        let progress = Telling {
            log: &**progress,
            tell,
        };
        let engine = Arc::new(
            host.start(&self.folder, &options, given.secrets, &progress)
                .await?,
        );
        Ok(Started {
            engine: engine.clone() as Arc<dyn ToolEngine>,
            state: engine,
        })
    }

    async fn served(&self) {
        self.source.history.keep(&self.folder).await;
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
