//! A limit of a namespace, and the setting it comes from.

use tooldock_engine::NamespaceName;

/// A limit of a namespace, and the setting it comes from.
#[derive(Debug, Clone)]
pub(super) struct Limit<T> {
    pub(super) value: T,
    /// The name of the setting as an error shows it.
    pub(super) setting: String,
}

impl<T> Limit<T> {
    /// The limit that is set for all namespaces by the setting `name`.
    pub(super) fn common(value: T, name: &str) -> Self {
        let setting = format!("`{name}`");
        Self { value, setting }
    }

    /// What the operator sets for `namespace` under `key` of config.yaml, if that is anything, instead of this limit.
    pub(super) fn or(self, own: Option<T>, namespace: &NamespaceName, key: &str) -> Self {
        own.map_or(self, |value| Self {
            value,
            setting: format!("`{key}` of `namespaces.{namespace}` in config.yaml"),
        })
    }
}
