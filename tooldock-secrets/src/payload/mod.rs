//! Every value of the store, as it is sealed.

mod error;
mod read;
mod text;
mod write;

use std::collections::BTreeMap;

pub use self::error::PayloadError;
use crate::{name::SecretName, scope::Scope, value::SecretValue};

/// Values by scope and name; global ones come first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Payload(pub(crate) BTreeMap<Scope, BTreeMap<SecretName, SecretValue>>);

impl Payload {
    pub(crate) fn get(&self, scope: &Scope, name: &str) -> Option<&SecretValue> {
        self.0.get(scope)?.get(name)
    }

    pub(crate) fn insert(&mut self, scope: Scope, name: SecretName, value: SecretValue) {
        self.0.entry(scope).or_default().insert(name, value);
    }

    pub(crate) fn remove(&mut self, scope: &Scope, name: &str) -> bool {
        let Some(values) = self.0.get_mut(scope) else {
            return false;
        };
        let removed = values.remove(name).is_some();
        if values.is_empty() {
            self.0.remove(scope);
        }
        removed
    }

    /// The scope and name of every value.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&Scope, &SecretName)> {
        let pairs = self
            .0
            .iter()
            .map(|(scope, values)| values.keys().map(move |name| (scope, name)));
        pairs.flatten()
    }
}
