//! From the opened bytes to values. No value is copied on the way but into its own place.

use std::{collections::BTreeMap, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{Payload, PayloadError, text};
use crate::{name::SecretName, scope::Scope, value::SecretValue};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sections<'a> {
    #[serde(borrow)]
    global: Once<&'a RawValue>,
    #[serde(borrow)]
    namespaces: Once<Once<&'a RawValue>>,
}

impl Payload {
    /// Reads opened bytes.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let sections: Sections<'_> = serde_json::from_slice(bytes).map_err(|_| PayloadError::Form)?;
        let mut payload = Self::default();
        payload.fill(&Scope::Global, sections.global)?;
        for (name, values) in sections.namespaces.0 {
            let scope = name.parse()?;
            if scope == Scope::Global {
                return Err(PayloadError::Form);
            }
            payload.fill(&scope, values)?;
        }
        Ok(payload)
    }

    fn fill(&mut self, scope: &Scope, values: Once<&RawValue>) -> Result<(), PayloadError> {
        for (name, raw) in values.0 {
            let name: SecretName = name.parse()?;
            let value = text::decode(raw.get()).ok_or(PayloadError::Form)?;
            let named = |error| PayloadError::Value {
                name: name.to_string(),
                error,
            };
            self.insert(
                scope.clone(),
                name.clone(),
                SecretValue::new(value).map_err(named)?,
            );
        }
        Ok(())
    }
}

/// An object in which each name may stand once.
struct Once<T>(BTreeMap<String, T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Once<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Once<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Once<T>, A::Error> {
                let mut members = BTreeMap::new();
                while let Some((name, value)) = map.next_entry()? {
                    if members.insert(name, value).is_some() {
                        return Err(A::Error::custom("a name stands there twice"));
                    }
                }
                Ok(Once(members))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}
