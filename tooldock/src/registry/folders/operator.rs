//! What the operator says about single namespaces, read again at each reload.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use tooldock_engine::{NamespaceName, name::NamePattern};

use crate::{
    config::{ConfigFile, Mistakes, NamespaceConfig, TokenFile},
    layers::{NamespaceLimits, Overrides, Selection},
};

/// The operator's `config.yaml`, read again at each look at the folders. A file with mistakes changes nothing.
#[derive(Debug)]
pub struct Operator {
    data_dir: PathBuf,
    overrides: Arc<Overrides>,
    last_good: Mutex<ConfigFile>,
    tokens: Option<TokenFile>,
}

impl Operator {
    /// The file in `data_dir`; what it says about layers goes into `overrides` when a reload puts it into effect.
    #[must_use]
    pub fn new(data_dir: PathBuf, overrides: Arc<Overrides>) -> Self {
        Self {
            data_dir,
            overrides,
            last_good: Mutex::default(),
            tokens: None,
        }
    }

    /// Reads the list of tokens again at each look, too.
    #[must_use]
    pub fn with_tokens(mut self, tokens: Option<TokenFile>) -> Self {
        self.tokens = tokens;
        self
    }

    /// Takes up what has changed in the list of tokens.
    pub(super) async fn refresh_tokens(&self) -> Option<Mistakes> {
        self.tokens.as_ref()?.refresh().await.err()
    }

    /// What counts, and what is wrong with the file as it is now.
    pub(super) async fn read(&self) -> (ConfigFile, Option<Mistakes>) {
        let data_dir = self.data_dir.clone();
        let read = tokio::task::spawn_blocking(move || ConfigFile::read(&data_dir)).await;
        let (file, mistakes) = match read {
            Ok(Ok(file)) => (Some(file), None),
            Ok(Err(mistakes)) => (None, Some(mistakes)),
            Err(error) => (None, Some(Mistakes::one(format!("reading it broke: {error}")))),
        };
        let mut last_good = self.last_good.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = file {
            *last_good = file;
        }
        (last_good.clone(), mistakes)
    }

    /// Makes `limits` count for the layers that are put around the engine of `namespace` from now on.
    pub(super) fn apply(&self, namespace: &NamespaceName, limits: &NamespaceLimits) {
        self.overrides.put(namespace.clone(), limits.clone());
    }
}

/// What of `config` the layers obey.
pub(super) fn limits(config: &NamespaceConfig) -> NamespaceLimits {
    NamespaceLimits {
        timeout: config.timeout(),
        concurrency: config.max_concurrency,
        calls_per_minute: config.calls_per_minute,
        cpu_seconds: config.cpu_seconds_per_minute,
        shows_secrets: !config.redact,
        selection: Selection::new(patterns(&config.tools.allow), patterns(&config.tools.deny)),
    }
}

/// The file was checked when it was read, so each is one.
fn patterns(texts: &[String]) -> impl Iterator<Item = NamePattern> {
    texts.iter().filter_map(|text| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_look_at_the_file_puts_nothing_into_effect() {
        let folder = tempfile::tempdir().unwrap();
        let text = "namespaces: { demo: { timeout_seconds: 7 } }\n";
        std::fs::write(folder.path().join("config.yaml"), text).unwrap();
        let (overrides, demo) = (Arc::new(Overrides::default()), "demo".parse().unwrap());
        let operator = Operator::new(folder.path().to_owned(), overrides.clone());
        let (file, mistakes) = operator.read().await;
        assert_eq!(
            (mistakes, overrides.of(&demo)),
            (None, NamespaceLimits::default())
        );
        let limits = limits(&file.namespace(&demo));
        operator.apply(&demo, &limits);
        assert_eq!(overrides.of(&demo), limits);
        operator.apply(&demo, &NamespaceLimits::default());
        assert_eq!(overrides.of(&demo), NamespaceLimits::default());
    }
}
