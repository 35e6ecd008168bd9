//! The members of an object in their order.

use std::{borrow::Cow, fmt};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object in their order, borrowed from its text.
///
/// ```
/// use tooldock_engine::{RawJson, json::{Members, ScanLimits}};
/// let json = RawJson::scan(r#"{"z": 1.50, "a": [2]}"#, ScanLimits::MESSAGE)?;
/// let Members(members) = json.parse()?;
/// let text: Vec<_> = members.iter().map(|(name, value)| format!("{name}={}", value.get())).collect();
/// assert_eq!(text, ["z=1.50", "a=[2]"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Members<'a>(
    /// Each name, without escapes, and the text of its value.
    pub Vec<(Cow<'a, str>, &'a RawValue)>,
);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_map(Collect)
    }
}

struct Collect;

impl<'de> Visitor<'de> for Collect {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
