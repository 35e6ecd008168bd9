//! What a store holds at one moment.

use crate::{
    envelope::Sealer,
    keys::Which,
    merge::Effective,
    meta::{Meta, MetaError},
    name::SecretName,
    payload::Payload,
    scope::Scope,
    value::SecretValue,
};

/// What a store holds at one moment: values, and names that wait for one.
#[derive(Debug)]
pub struct Contents {
    pub(crate) payload: Payload,
    pub(crate) meta: Meta,
    pub(crate) generation: u64,
    pub(super) sealer: Option<Sealer>,
    pub(super) by: Option<Which>,
    pub(super) meta_mistake: Option<MetaError>,
}

impl Contents {
    /// How often the values were written; 0 when they never were.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether only the previous key opened the file, so that a rekey is still to be done.
    #[must_use]
    pub fn by_previous_key(&self) -> bool {
        self.by == Some(Which::Previous)
    }

    /// What is wrong with the file of names and states, which then counts as empty.
    #[must_use]
    pub fn meta_mistake(&self) -> Option<&MetaError> {
        self.meta_mistake.as_ref()
    }

    /// The values that a namespace is given: the global ones, and over them its own. Never those of another namespace.
    #[must_use]
    pub fn effective(&self, namespace: &str) -> Effective<'_> {
        self.payload.effective(namespace)
    }

    /// One value of exactly this scope.
    #[must_use]
    pub fn get(&self, scope: &Scope, name: &str) -> Option<&SecretValue> {
        self.payload.get(scope, name)
    }

    /// Sets a value, whether there was one or not.
    pub fn set(&mut self, scope: Scope, name: SecretName, value: SecretValue) {
        self.payload.insert(scope, name, value);
    }

    /// Removes a value and its name; says whether there was either.
    pub fn unset(&mut self, scope: &Scope, name: &SecretName) -> bool {
        let marked = self.meta.marks.remove(&(scope.clone(), name.clone())).is_some();
        self.payload.remove(scope, name.as_str()) || marked
    }
}
