//! One folder that can become a namespace.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use sha2::{Digest as _, Sha256};
use tooldock_engine::{NamespaceName, ToolEngine, error::Result, secret::Secrets};
use tooldock_worker::{NamespaceFolder, NamespaceOptions, Progress};

use super::{
    super::{Candidate, Started, Tell, Version},
    Folders, operator,
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
        secrets: &Secrets,
        source: Folders,
    ) -> Self {
        let limits = operator::limits(&config);
        let mut options = NamespaceOptions::default();
        options.workers = config.workers;
        options.environment = config.environment;
        let version = version(&folder, &options, &limits, secrets);
        Self {
            folder,
            options,
            limits,
            version,
            source,
        }
    }
}

/// Digests of everything a namespace is started with, and of its limits; of secrets nothing else is kept.
fn version(
    folder: &NamespaceFolder,
    options: &NamespaceOptions,
    limits: &NamespaceLimits,
    secrets: &Secrets,
) -> Version {
    // The debug form of settings holds each of them.
    let (options, limits) = (format!("{options:?}"), format!("{limits:?}"));
    let values = secrets
        .iter()
        .flat_map(|(name, value)| [name.as_str(), value.expose()]);
    let content = [folder.digest.as_str(), &options].into_iter().chain(values);
    Version {
        content: digest(content),
        policies: digest([limits.as_str()]),
    }
}

fn digest<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
        let Folders {
            host,
            secrets,
            progress,
            ..
        } = &self.source;
        // Read again rather than kept: values live in memory only where they are used.
        let secrets = secrets.secrets(&self.folder.name).await?;
        let progress = Telling {
            log: &**progress,
            tell,
        };
        let engine = Arc::new(
            host.start(&self.folder, &self.options, secrets, &progress)
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
