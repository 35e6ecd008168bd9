//! What the operator says about single namespaces, read again at each reload.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    config::{ConfigFile, Mistakes, NamespaceConfig},
    layers::{NamespaceLimits, Overrides, Selection, ToolPattern},
};

/// The operator's `config.yaml`, read again at each reload. A file with mistakes changes nothing.
#[derive(Debug)]
pub struct Operator {
    data_dir: PathBuf,
    overrides: Arc<Overrides>,
    last_good: Mutex<ConfigFile>,
}

impl Operator {
    /// The file in `data_dir`; what it says about layers goes into `overrides`.
    #[must_use]
    pub fn new(data_dir: PathBuf, overrides: Arc<Overrides>) -> Self {
        Self {
            data_dir,
            overrides,
            last_good: Mutex::default(),
        }
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
            let limits = file
                .namespaces
                .iter()
                .map(|(name, config)| (name.clone(), limits(config)));
            self.overrides.set(limits.collect());
            *last_good = file;
        }
        (last_good.clone(), mistakes)
    }
}

fn limits(config: &NamespaceConfig) -> NamespaceLimits {
    NamespaceLimits {
        timeout: config.timeout(),
        concurrency: config.max_concurrency,
        selection: Selection::new(patterns(&config.tools.allow), patterns(&config.tools.deny)),
    }
}

/// The file was checked when it was read, so each is one.
fn patterns(texts: &[String]) -> impl Iterator<Item = ToolPattern> {
    texts.iter().filter_map(|text| text.parse().ok())
}
