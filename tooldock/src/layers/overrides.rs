//! What an operator sets for single namespaces.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
    time::Duration,
};

use tooldock_engine::NamespaceName;

use super::Selection;

/// What an operator sets for one namespace. What is not set is as for all namespaces. Start from the
/// default and change what differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamespaceLimits {
    /// How long a tool without a limit of its own may take (`timeout_seconds` in config.yaml).
    pub timeout: Option<Duration>,
    /// Calls that run at once, at least 1 (`max_concurrency` in config.yaml).
    pub concurrency: Option<usize>,
    /// Calls of its tools in a minute, 0 for no limit (`calls_per_minute` in config.yaml).
    pub calls_per_minute: Option<u32>,
    /// Seconds of processor time in a minute, 0 for no limit (`cpu_seconds_per_minute` in config.yaml).
    pub cpu_seconds: Option<u32>,
    /// Which tools exist (`tools` in config.yaml).
    pub selection: Selection,
    /// Whether known secrets stay in what its tools answer (`redact: false` in config.yaml).
    pub shows_secrets: bool,
}

/// What an operator sets for single namespaces, shared by the layers that obey it.
///
/// A layer looks when it is put around an engine, so a change counts for engines that are mounted after it.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use tooldock::layers::{LayerSettings, NamespaceLimits, Overrides, defaults};
/// let overrides = Arc::new(Overrides::default());
/// let mut settings = LayerSettings::default();
/// settings.overrides = overrides.clone();
/// let stack = defaults(&settings);
/// let mut patient = NamespaceLimits::default();
/// patient.timeout = Some(Duration::from_secs(300));
/// overrides.set([("reports".parse()?, patient.clone())].into());
/// assert_eq!(overrides.of(&"reports".parse()?), patient);
/// assert_eq!(overrides.of(&"others".parse()?), NamespaceLimits::default());
/// # Ok::<(), tooldock::engine::name::NameError>(())
/// ```
#[derive(Debug, Default)]
pub struct Overrides(RwLock<BTreeMap<NamespaceName, NamespaceLimits>>);

impl Overrides {
    /// Replaces everything that was set.
    pub fn set(&self, namespaces: BTreeMap<NamespaceName, NamespaceLimits>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = namespaces;
    }

    /// Replaces what was set for one namespace.
    pub fn put(&self, namespace: NamespaceName, limits: NamespaceLimits) {
        let mut namespaces = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if limits == NamespaceLimits::default() {
            namespaces.remove(&namespace);
        } else {
            namespaces.insert(namespace, limits);
        }
    }

    /// What is set for `namespace`.
    #[must_use]
    pub fn of(&self, namespace: &NamespaceName) -> NamespaceLimits {
        let namespaces = self.0.read().unwrap_or_else(PoisonError::into_inner);
        namespaces.get(namespace).cloned().unwrap_or_default()
    }
}
