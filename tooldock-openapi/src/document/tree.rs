//! A JSON value as a tree that keeps the order of members and the digits of numbers.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use tooldock_engine::{RawJson, json::Members};

/// A JSON value that can be taken apart and put together.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Object(Object),
    Array(Vec<Tree>),
    /// A text, a number, true, false or null, as it was written.
    Leaf(RawJson),
}

/// Members in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Object(pub(super) Vec<(String, Tree)>);

impl Tree {
    /// Reads `json`, whose depth the kernel's scan has bounded.
    pub(super) fn read(json: &RawJson) -> Self {
        json.parse::<&RawValue>()
            .map_or_else(|_| Self::Leaf(json.clone()), |part| Self::cut(json, part))
    }

    fn cut(whole: &RawJson, part: &RawValue) -> Self {
        let text = part.get();
        match text.as_bytes().first() {
            Some(b'{') => {
                let Members(members) = serde_json::from_str(text).unwrap_or_default();
                let cut = |(name, value): (Cow<'_, str>, _)| (name.into_owned(), Self::cut(whole, value));
                Self::Object(Object(members.into_iter().map(cut).collect()))
            }
            Some(b'[') => {
                let values: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
                Self::Array(values.into_iter().map(|value| Self::cut(whole, value)).collect())
            }
            _ => Self::Leaf(whole.part(part)),
        }
    }

    pub(super) fn object<N: Into<String>>(members: impl IntoIterator<Item = (N, Self)>) -> Self {
        Self::Object(
            members
                .into_iter()
                .map(|(name, tree)| (name.into(), tree))
                .collect(),
        )
    }

    pub(super) fn text(text: &str) -> Self {
        Self::Leaf(RawJson::string(text))
    }

    pub(super) fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::Array(texts.into_iter().map(|text| Self::text(text.as_ref())).collect())
    }

    /// The value of a member, if this is an object and has it.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    pub(super) fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(super) fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(values) => Some(values),
            _ => None,
        }
    }

    pub(super) fn as_text(&self) -> Option<String> {
        match self {
            Self::Leaf(leaf) => leaf.parse().ok(),
            _ => None,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Leaf(leaf) if leaf.is_null())
    }
}

impl Object {
    pub(super) fn get(&self, name: &str) -> Option<&Tree> {
        self.0
            .iter()
            .find(|(member, _)| member == name)
            .map(|(_, tree)| tree)
    }

    /// Takes a member out.
    pub(super) fn take(&mut self, name: &str) -> Option<Tree> {
        let at = self.0.iter().position(|(member, _)| member == name)?;
        Some(self.0.remove(at).1)
    }

    /// Adds a member, unless there is one of this name.
    pub(super) fn add(&mut self, name: &str, tree: impl FnOnce() -> Tree) {
        if self.get(name).is_none() {
            self.0.push((name.to_owned(), tree()));
        }
    }
}

impl FromIterator<(String, Tree)> for Object {
    fn from_iter<I: IntoIterator<Item = (String, Tree)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Object(Object(members)) => {
                serializer.collect_map(members.iter().map(|(name, tree)| (name, tree)))
            }
            Self::Array(values) => serializer.collect_seq(values),
            Self::Leaf(leaf) => leaf.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use tooldock_engine::json::ScanLimits;

    use super::*;

    #[test]
    fn order_and_digits_survive() {
        let text = r#"{"z":1.50,"a":[12345678901234567890123,null,{"\"":true}],"e":{}}"#;
        let json = RawJson::scan(text, ScanLimits::MESSAGE).unwrap();
        assert_eq!(serde_json::to_string(&Tree::read(&json)).unwrap(), text);
    }
}
