//! A folder with a store in it.

use std::{fs, path::PathBuf, sync::Arc};

use tempfile::TempDir;
use tooldock_secrets::{Contents, Key, Keys, Scope, SecretName, SecretValue, Store, testing::QUICK};

pub(crate) const KEY: &str = "shop-key-7f1c2a9be4";

/// A folder that is removed at the end.
pub(crate) struct Shop(TempDir);

impl Shop {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A store of its own key, of a cheap cost.
    pub(crate) fn store(&self) -> Store {
        self.with(Keys::new(key(KEY)))
    }

    pub(crate) fn with(&self, keys: impl Into<Arc<Keys>>) -> Store {
        Store::new(self.0.path(), keys).with_kdf(QUICK)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn key(text: &str) -> Key {
    Key::new(text.as_bytes().to_vec()).unwrap()
}

pub(crate) fn name(text: &str) -> SecretName {
    text.parse().unwrap()
}

pub(crate) fn scope(text: &str) -> Scope {
    text.parse().unwrap()
}

pub(crate) fn value(text: &str) -> SecretValue {
    SecretValue::new(text.to_owned()).unwrap()
}

/// Sets one value.
pub(crate) fn set(store: &Store, place: &str, secret: &str, text: &str) {
    store
        .change(|contents| {
            contents.set(scope(place), name(secret), value(text));
            Ok(())
        })
        .unwrap();
}

/// One value as text.
pub(crate) fn got<'a>(contents: &'a Contents, place: &str, secret: &str) -> Option<&'a str> {
    contents.get(&scope(place), secret).map(SecretValue::expose)
}

/// Names, scopes and states, as `scope NAME state`.
pub(crate) fn states(contents: &Contents) -> Vec<String> {
    let line =
        |entry: &tooldock_secrets::Entry| format!("{} {} {}", entry.scope, entry.name, entry.status.as_str());
    contents.entries().iter().map(line).collect()
}
