//! What happens during a reload, as it happens.

use serde::{Serialize, Serializer};
use tooldock_engine::NamespaceName;

/// One thing that happened during a reload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[non_exhaustive]
pub enum ReloadEvent {
    /// A start tells what it is doing.
    Progress {
        /// Which namespace.
        #[serde(serialize_with = "as_text")]
        namespace: NamespaceName,
        /// What.
        text: String,
    },
    /// A new engine is in place.
    Ready {
        /// Which namespace.
        #[serde(serialize_with = "as_text")]
        namespace: NamespaceName,
    },
    /// A namespace could not be started.
    Failed {
        /// Which namespace.
        #[serde(serialize_with = "as_text")]
        namespace: NamespaceName,
        /// Why.
        error: String,
    },
}

/// A name as a JSON text.
pub(super) fn as_text<S: Serializer>(name: &NamespaceName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name.as_str())
}
