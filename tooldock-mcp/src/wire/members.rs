//! The members of an object that some method reads.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{names, shape::Shape};

/// Every member of `params` and `_meta` that this crate reads; others are skipped and stay in the raw text.
const NAMES: [&str; 24] = [
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
    META,
];
const META: &str = "_meta";

/// A value that should be an object, split once into the members that are read. Anything else is told by its shape.
#[derive(Debug, Default)]
pub(super) struct Object<'a> {
    pub(super) shape: Shape,
    pub(super) members: Vec<(&'static str, &'a RawValue)>,
    pub(super) meta: Option<Box<Object<'a>>>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(Split)
    }
}

struct Split;

impl Split {
    fn other<'de, E>() -> Result<Object<'de>, E> {
        Ok(Object {
            shape: Shape::Other,
            ..Object::default()
        })
    }
}

/// A member name, as one of [`NAMES`].
struct Name(Option<&'static str>);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        struct Known;
        impl Visitor<'_> for Known {
            type Value = Name;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member name")
            }
            fn visit_str<E>(self, text: &str) -> Result<Name, E> {
                Ok(Name(NAMES.into_iter().find(|name| *name == text)))
            }
        }
        value.deserialize_str(Known)
    }
}

impl<'de> Visitor<'de> for Split {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let mut object = Object {
            shape: Shape::Object,
            members: Vec::with_capacity(4),
            meta: None,
        };
        while let Some(Name(name)) = map.next_key()? {
            match name {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some(META) => object.meta = Some(map.next_value()?),
                Some(name) => object.members.push((name, map.next_value()?)),
            }
        }
        Ok(object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Object<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Self::other()
    }
    fn visit_bool<E>(self, _: bool) -> Result<Object<'de>, E> {
        Self::other()
    }
    fn visit_i64<E>(self, _: i64) -> Result<Object<'de>, E> {
        Self::other()
    }
    fn visit_u64<E>(self, _: u64) -> Result<Object<'de>, E> {
        Self::other()
    }
    fn visit_f64<E>(self, _: f64) -> Result<Object<'de>, E> {
        Self::other()
    }
    fn visit_str<E>(self, _: &str) -> Result<Object<'de>, E> {
        Self::other()
    }
    fn visit_unit<E>(self) -> Result<Object<'de>, E> {
        Self::other()
    }
}
