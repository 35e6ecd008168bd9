//! What a namespace is given of the secrets.

use std::{collections::BTreeSet, sync::Arc};

use tooldock_engine::{
    NamespaceName,
    error::Result,
    secret::{Redactor, SecretSource, Secrets},
};

/// What a namespace is given of the secrets: values, and names that wait for one.
pub(super) struct Given {
    pub(super) secrets: Secrets,
    pub(super) waiting: BTreeSet<String>,
}

impl Given {
    pub(super) async fn from(source: &dyn SecretSource, namespace: &NamespaceName) -> Result<Self> {
        let secrets = source.secrets(namespace).await?;
        let waiting = source.waiting(namespace).await?;
        Ok(Self { secrets, waiting })
    }

    /// What finds these values in texts.
    pub(super) fn redactor(&self) -> Option<Arc<dyn Redactor>> {
        #[cfg(feature = "secrets")]
        if let Some(known) = crate::secrets::KnownValues::of(&self.secrets) {
            return Some(Arc::new(known));
        }
        None
    }
}
