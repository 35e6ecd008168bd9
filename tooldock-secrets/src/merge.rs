//! What a namespace is given.

use std::collections::BTreeMap;

use crate::{payload::Payload, scope::Scope, value::SecretValue};

/// The values that one namespace is given, by name.
pub type Effective<'a> = BTreeMap<&'a str, &'a SecretValue>;

impl Payload {
    /// The global values, and over them those of the namespace. Never those of another one.
    pub(crate) fn effective(&self, namespace: &str) -> Effective<'_> {
        let own = match namespace.parse() {
            Ok(Scope::Global) | Err(_) => None,
            Ok(scope) => self.0.get(&scope),
        };
        let scopes = self.0.get(&Scope::Global).into_iter().chain(own);
        scopes
            .flatten()
            .map(|(name, value)| (name.as_str(), value))
            .collect()
    }
}
