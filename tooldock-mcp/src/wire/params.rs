//! The parameters of a request or notification.

use tooldock_engine::{RawJson, json::Member};

use super::{names, shape::Shape};

/// Every member of `params` and `_meta` that this crate reads; others are skipped and stay in the raw text.
static NAMES: [&str; 23] = [
    "name",
    "arguments",
    "cursor",
    "uri",
    "ref",
    "argument",
    "context",
    "taskId",
    "requestId",
    "level",
    "protocolVersion",
    "capabilities",
    "clientInfo",
    "notifications",
    "inputResponses",
    "requestState",
    "progressToken",
    "traceparent",
    "tracestate",
    names::PROTOCOL_VERSION,
    names::CLIENT_CAPABILITIES,
    names::CLIENT_INFO,
    names::LOG_LEVEL,
];
const META: &str = "_meta";

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
    /// Cuts out the members that are read.
    fn cut(member: Option<Member<'_>>) -> Self {
        let Some(member) = member else {
            return Self::default();
        };
        let known = |inner: Member<'_>| {
            let name = NAMES.iter().find(|name| name.as_bytes() == inner.name())?;
            Some((*name, inner.value()))
        };
        Self {
            shape: Shape::of(member),
            members: member.members().filter_map(known).collect(),
        }
    }

    fn get(&self, name: &str) -> Option<&RawJson> {
        self.members
            .iter()
            .find_map(|(known, value)| (*known == name).then_some(value))
    }
}

impl Params {
    pub(super) fn cut(params: Option<Member<'_>>) -> Self {
        let meta = params.and_then(|params| params.members().find(|member| member.name() == META.as_bytes()));
        Self {
            object: Field::cut(params),
            meta: Meta(Field::cut(meta)),
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
