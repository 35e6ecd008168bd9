//! The secrets as the manager knows them: states for the tools, and values only to take them out of what the tools answer.

use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use tooldock_engine::{
    NamespaceName,
    error::Result,
    secret::{Redactor, SecretValue, Secrets},
};
use tooldock_secrets::{Contents, Follower, Scope, Store, StoreError};

use super::{
    names::Named,
    refusal::{joined, refuse},
};
use crate::secrets::KnownValues;

/// Follows the store, and finds every value that it was seen to hold in texts.
pub(super) struct KnownSecrets {
    follower: Follower,
    /// The finder, and the generation it was made of.
    known: Mutex<Option<(u64, Option<Arc<KnownValues>>)>>,
}

impl KnownSecrets {
    pub(super) fn new(store: Store) -> Self {
        Self {
            follower: Follower::new(store),
            known: Mutex::default(),
        }
    }

    /// Changes the store, on a thread of its own.
    pub(super) async fn change(
        self: &Arc<Self>,
        change: impl FnOnce(&Store) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<()> {
        let this = self.clone();
        let changed = move || change(this.follower.store()).map_err(|error| refuse(error.to_string()));
        joined(tokio::task::spawn_blocking(changed).await)
    }

    /// Reads the store now.
    pub(super) async fn read(self: &Arc<Self>) -> Result<Arc<Contents>> {
        let this = self.clone();
        joined(tokio::task::spawn_blocking(move || this.read_here()).await)
    }

    fn read_here(&self) -> Result<Arc<Contents>> {
        let contents = self.follower.refresh();
        let contents = contents.map_err(|error| refuse(format!("the secrets cannot be read: {error}")))?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = contents.generation();
        if known.as_ref().is_none_or(|(made, _)| *made != generation) {
            *known = Some((generation, KnownValues::of(&all(&contents)).map(Arc::new)));
        }
        Ok(contents)
    }
}

/// For whom a secret is: one namespace, or all.
pub(super) fn scope(namespace: Option<&Named<NamespaceName>>) -> Scope {
    namespace.map_or(Scope::Global, |name| Scope::Namespace(name.as_str().into()))
}

/// Every value, under a name that tells its scope.
fn all(contents: &Contents) -> Secrets {
    let value = |entry: tooldock_secrets::Entry| {
        let value = contents
            .get(&entry.scope, entry.name.as_str())?
            .expose()
            .to_owned();
        let name = match &entry.scope {
            Scope::Global => entry.name.to_string(),
            scope => format!("{scope}/{}", entry.name),
        };
        Some((name, SecretValue::new(value)))
    };
    contents.entries().into_iter().filter_map(value).collect()
}

impl Redactor for KnownSecrets {
    fn redact<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Some((_, Some(known))) => known.redact(text),
            _ => Cow::Borrowed(text),
        }
    }
}

impl fmt::Debug for KnownSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KnownSecrets(…)")
    }
}
