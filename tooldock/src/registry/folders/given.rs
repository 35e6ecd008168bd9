//! What a namespace is given of the secrets.

use std::{collections::BTreeSet, sync::Arc};

use tooldock_engine::{
    error::Result,
    secret::{Redactor, SecretSource, Secrets},
};
use tooldock_worker::NamespaceFolder;

/// What a namespace is given of the secrets: values, and names that wait for one; and whether values are taken out of what it prints.
pub(super) struct Given {
    pub(super) secrets: Secrets,
    pub(super) waiting: BTreeSet<String>,
    pub(super) hides: bool,
}

impl Given {
    pub(super) async fn from(source: &dyn SecretSource, folder: &NamespaceFolder) -> Result<Self> {
        Ok(Self {
            secrets: source.secrets(&folder.name).await?,
            waiting: source.waiting(&folder.name).await?,
            hides: true,
        })
    }

    /// Without what the namespace does not name in its `tooldock.yaml`.
    pub(super) fn retain_declared(&mut self, folder: &NamespaceFolder) {
        self.secrets
            .retain(|name, _| folder.manifest.secrets.contains(name));
    }

    /// What finds these values in texts.
    pub(super) fn redactor(&self) -> Option<Arc<dyn Redactor>> {
        #[cfg(feature = "secrets")]
        if self.hides
            && let Some(known) = crate::secrets::KnownValues::of(&self.secrets)
        {
            return Some(Arc::new(known));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use tooldock_engine::{NamespaceName, secret::SecretValue};
    use tooldock_worker::{HostSettings, ToolsFolder, WorkerHost};

    use super::*;
    use crate::{layers::NamespaceLimits, registry::folders::Folders};

    #[derive(Debug)]
    struct Two;

    #[async_trait::async_trait]
    impl SecretSource for Two {
        async fn refresh(&self) -> Result<()> {
            Ok(())
        }

        async fn secrets(&self, _namespace: &NamespaceName) -> Result<Secrets> {
            let secret = |name: &str| (name.to_owned(), SecretValue::new("a-long-value".to_owned()));
            Ok([secret("DECLARED"), secret("GLOBAL")].into())
        }

        async fn waiting(&self, _namespace: &NamespaceName) -> Result<BTreeSet<String>> {
            Ok(BTreeSet::new())
        }
    }

    #[tokio::test]
    async fn s101_a_namespace_can_be_given_only_what_it_declares() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("demo")).unwrap();
        std::fs::write(folder.path().join("demo/t.py"), "").unwrap();
        std::fs::write(folder.path().join("demo/tooldock.yaml"), "secrets: [DECLARED]\n").unwrap();
        let tools = ToolsFolder::subfolders(folder.path());
        let demo = tools.scan().unwrap().namespaces.remove(0);
        let folders =
            Folders::new(tools, WorkerHost::new(HostSettings::new(folder.path()))).with_secrets(Two);
        for (only, names) in [(false, &["DECLARED", "GLOBAL"][..]), (true, &["DECLARED"])] {
            let folders = folders.clone().only_declared_secrets(only);
            let given = folders.given(&demo, &NamespaceLimits::default()).await.unwrap();
            assert_eq!(given.secrets.keys().collect::<Vec<_>>(), names);
            assert!(given.redactor().is_some());
        }
        let shows = NamespaceLimits {
            shows_secrets: true,
            ..NamespaceLimits::default()
        };
        let given = folders.given(&demo, &shows).await.unwrap();
        assert!(
            given.redactor().is_none(),
            "the operator wants values to be shown"
        );
    }
}
