//! From values to the bytes that are sealed.

use std::collections::BTreeMap;

use zeroize::Zeroizing;

use super::Payload;
use crate::{name::SecretName, scope::Scope, value::SecretValue};

impl Payload {
    /// Compact JSON in the order of the names.
    pub(crate) fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let lengths = self
            .0
            .values()
            .flatten()
            .map(|(name, value)| 6 * value.expose().len() + name.as_str().len() + 8);
        // The most it can become, so that no copy is left behind while it grows.
        let most = lengths.sum::<usize>() + 80 * (self.0.len() + 1);
        let mut bytes = Zeroizing::new(Vec::with_capacity(most));
        bytes.extend_from_slice(b"{\"global\":");
        object(self.0.get(&Scope::Global), &mut bytes);
        bytes.extend_from_slice(b",\"namespaces\":{");
        let own = self.0.iter().filter(|(scope, _)| **scope != Scope::Global);
        for (index, (scope, values)) in own.enumerate() {
            separate(index, &mut bytes);
            text(&scope.to_string(), &mut bytes);
            bytes.push(b':');
            object(Some(values), &mut bytes);
        }
        bytes.extend_from_slice(b"}}");
        bytes
    }
}

/// An object of texts.
fn object(values: Option<&BTreeMap<SecretName, SecretValue>>, bytes: &mut Vec<u8>) {
    bytes.push(b'{');
    for (index, (name, value)) in values.into_iter().flatten().enumerate() {
        separate(index, bytes);
        text(name.as_str(), bytes);
        bytes.push(b':');
        text(value.expose(), bytes);
    }
    bytes.push(b'}');
}

fn separate(index: usize, bytes: &mut Vec<u8>) {
    if index > 0 {
        bytes.push(b',');
    }
}

/// A JSON string, written in place.
fn text(text: &str, bytes: &mut Vec<u8>) {
    serde_json::to_writer(bytes, text).expect("a Vec takes every text");
}
