//! The store as the gateway asks it.

use std::{collections::BTreeSet, sync::Arc};

use async_trait::async_trait;
use tooldock_engine::{
    EngineError, ErrorKind, NamespaceName,
    error::Result,
    secret::{Redactor, SecretSource, SecretValue, Secrets},
};
use tooldock_secrets::{Contents, Follower, Status, Store};

use super::KnownValues;

/// Gives namespaces what the encrypted store has for them. The store is read when a reload begins; what was good last counts until
/// then, also when the store has become unreadable.
///
/// ```no_run
/// use tooldock::{registry::folders::Folders, secrets::{StoredSecrets, open_store}, worker::{HostSettings, ToolsFolder, WorkerHost}};
/// use tooldock_secrets::{Key, Keys};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let key = Key::from_file(std::fs::read("/run/secrets/key")?)?;
/// let secrets = StoredSecrets::new(open_store("/data".as_ref(), Keys::new(key)));
/// let folders = Folders::new(ToolsFolder::subfolders("/data/tools"), WorkerHost::new(HostSettings::new("/data")));
/// let folders = folders.with_secrets(secrets);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct StoredSecrets(Arc<Follower>);

impl StoredSecrets {
    /// Follows a store. Nothing is read yet.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self(Arc::new(Follower::new(store)))
    }

    /// What finds the values of a namespace in texts; nothing when it has none that are long enough. For layers, which are made when an
    /// engine has started with these values.
    #[must_use]
    pub fn redactor(&self, namespace: &NamespaceName) -> Option<Arc<dyn Redactor>> {
        let known = KnownValues::of(&values(self.0.current()?.as_ref(), namespace))?;
        Some(Arc::new(known))
    }

    /// What was good last; read now if nothing was yet. Deriving the key takes half a second, so another thread does it.
    async fn contents(&self) -> Result<Arc<Contents>> {
        match self.0.current() {
            Some(contents) => Ok(contents),
            None => self.read().await,
        }
    }

    async fn read(&self) -> Result<Arc<Contents>> {
        let follower = Arc::clone(&self.0);
        let unreadable = |text: String| EngineError::new(ErrorKind::Dependency, text);
        tokio::task::spawn_blocking(move || follower.refresh())
            .await
            .map_err(|error| unreadable("reading the secrets broke".to_owned()).with_source(error))?
            .map_err(|error| unreadable(format!("the secrets cannot be read: {error}")).with_source(error))
    }
}

#[async_trait]
impl SecretSource for StoredSecrets {
    async fn refresh(&self) -> Result<()> {
        self.read().await.map(drop)
    }

    async fn secrets(&self, namespace: &NamespaceName) -> Result<Secrets> {
        Ok(values(self.contents().await?.as_ref(), namespace))
    }

    async fn waiting(&self, namespace: &NamespaceName) -> Result<BTreeSet<String>> {
        let contents = self.contents().await?;
        let waits = |name: &String| contents.status(namespace.as_str(), name) == Status::Placeholder;
        let names = contents.entries().into_iter().map(|entry| entry.name.to_string());
        Ok(names.filter(waits).collect())
    }
}

/// The values that a namespace is given.
fn values(contents: &Contents, namespace: &NamespaceName) -> Secrets {
    let given = contents.effective(namespace.as_str()).into_iter();
    given
        .map(|(name, value)| (name.to_owned(), SecretValue::new(value.expose().to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use tooldock_secrets::{Key, Keys};

    use super::*;

    fn store(folder: &std::path::Path) -> Store {
        let key = Key::new(b"off-the-threads-51c8".to_vec()).unwrap();
        Store::new(folder, Keys::new(key))
    }

    /// The only thread of the runtime goes on while the key is derived, and a second look derives nothing.
    #[tokio::test(flavor = "current_thread")]
    async fn s118_the_key_is_derived_off_the_async_threads() {
        let folder = tempfile::tempdir().unwrap();
        store(folder.path()).change(|_| Ok(())).unwrap();
        let secrets = StoredSecrets::new(store(folder.path()));
        let mut turns = 0;
        let begin = std::time::Instant::now();
        let others = async {
            loop {
                turns += 1;
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            read = secrets.refresh() => read.unwrap(),
            () = others => {}
        }
        let derived = begin.elapsed();
        assert!(turns > 100, "others had {turns} turns in {derived:?}");
        let again = std::time::Instant::now();
        secrets.refresh().await.unwrap();
        assert!(
            again.elapsed() * 5 < derived,
            "{:?} after {derived:?}",
            again.elapsed()
        );
    }
}
