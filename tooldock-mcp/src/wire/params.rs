//! The parameters of a request or notification.

use serde_json::value::RawValue;
use tooldock_engine::RawJson;

use super::{members::Object, shape::Shape};

/// The parameters of a request or notification, split once into the members that methods read.
#[derive(Debug, Clone, Default)]
pub struct Params {
    object: Field,
    meta: Meta,
}

/// `params._meta`, split once.
#[derive(Debug, Clone, Default)]
pub struct Meta(Field);

/// An object's members as cut-out parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Field {
    shape: Shape,
    members: Vec<(&'static str, RawJson)>,
}

impl Field {
    fn cut(whole: &RawJson, object: &Object<'_>) -> Self {
        let cut = |(name, part): &(&'static str, &RawValue)| (*name, whole.part(part));
        Self {
            shape: object.shape,
            members: object.members.iter().map(cut).collect(),
        }
    }

    fn get(&self, name: &str) -> Option<&RawJson> {
        self.members
            .iter()
            .find_map(|(known, value)| (*known == name).then_some(value))
    }
}

impl Params {
    pub(super) fn cut(whole: &RawJson, object: &Object<'_>) -> Self {
        Self {
            object: Field::cut(whole, object),
            meta: Meta(
                object
                    .meta
                    .as_deref()
                    .map(|meta| Field::cut(whole, meta))
                    .unwrap_or_default(),
            ),
        }
    }

    /// Whether they are missing or an object, with a `_meta` that is missing or an object.
    #[must_use]
    pub fn well_formed(&self) -> bool {
        self.object.shape != Shape::Other && self.meta.0.shape != Shape::Other
    }

    /// The member called `name`; only names that some method reads are kept.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&RawJson> {
        self.object.get(name)
    }

    /// The member called `name`, if it is a text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.parse().ok()
    }

    /// `_meta`.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        &self.meta
    }
}

impl Meta {
    /// The member called `name`; only names that some method reads are kept.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&RawJson> {
        self.0.get(name)
    }

    /// Whether the message claims to describe itself, as every message of the modern era does.
    #[must_use]
    pub fn is_claim(&self) -> bool {
        self.get(super::names::PROTOCOL_VERSION).is_some()
    }
}
