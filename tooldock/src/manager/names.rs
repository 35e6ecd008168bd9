//! Names in the arguments of tools: each is read by the one rule for its kind, on the raw text.

use std::{borrow::Cow, fmt, marker::PhantomData, ops::Deref, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};

/// An argument that is a text with a rule of its own, such as the name of a namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named<T>(pub(super) T);

impl<T> Deref for Named<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text<T>(PhantomData<T>);
        impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Named<T>, E> {
                text.parse().map(Named).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text(PhantomData))
    }
}

impl<T> JsonSchema for Named<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

/// The name of a tool file: `[A-Za-z][A-Za-z0-9_]{0,63}\.py`, so it is never hidden, nested or a support file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ToolFile(String);

impl ToolFile {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ToolFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let stem = text.strip_suffix(".py").unwrap_or_default();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let begins = stem.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
        if begins && stem.len() <= 64 && stem.bytes().all(plain) {
            return Ok(Self(text.to_owned()));
        }
        let shown: String = text.chars().take(80).flat_map(char::escape_debug).collect();
        Err(format!(
            "`{shown}` is no name of a tool file: use 1 to 64 letters, digits and `_`, a letter first, and `.py` at the end, as in `issues.py`"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s55_f56_only_plain_names_of_files_pass() {
        let (long, longer) = (format!("{}.py", "a".repeat(64)), format!("{}.py", "a".repeat(65)));
        for good in ["a.py", "Issues_2.py", &long] {
            assert_eq!(good.parse::<ToolFile>().unwrap().as_str(), good);
        }
        let bad = [
            "",
            ".py",
            "a",
            "a.PY",
            "a.pyc",
            "_a.py",
            ".a.py",
            "1.py",
            "../a.py",
            "a/b.py",
            "/a.py",
            "a\\b.py",
            "a.b.py",
            "a b.py",
            "a.py\n",
            "a.py\0",
            "\0.py",
            "ä.py",
            "ａ.py",
            "a\u{200b}.py",
            "a.py/",
            "a-b.py",
            &longer,
        ];
        for bad in bad {
            let refused = bad.parse::<ToolFile>().unwrap_err();
            assert!(
                refused.contains("is no name of a tool file") && !refused.contains(['\0', '\n']),
                "{bad:?}"
            );
        }
    }
}
