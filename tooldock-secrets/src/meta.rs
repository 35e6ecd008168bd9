//! The file `secrets.meta.yaml`: which names have a value or wait for one. It holds no value and may be shown to anybody.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use serde::Deserialize;

use crate::{name::SecretName, payload::Payload, scope::Scope, yaml};

/// What the file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Meta {
    /// The generation of `secrets.enc` at which it was written.
    pub(crate) enc_generation: u64,
    pub(crate) marks: BTreeMap<(Scope, SecretName), Mark>,
}

/// What the file says of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mark {
    /// It has a value.
    Set,
    /// It waits for one.
    Placeholder,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sections {
    #[serde(default)]
    enc_generation: u64,
    #[serde(default)]
    global: BTreeMap<String, Line>,
    #[serde(default)]
    namespaces: BTreeMap<String, BTreeMap<String, Line>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    status: Mark,
}

/// What is wrong with the file. Names a line or a name, never more of its content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MetaError(pub(crate) String);

impl Meta {
    /// Reads the file.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, MetaError> {
        let text = str::from_utf8(bytes).map_err(|_| MetaError("it is no UTF-8 text".to_owned()))?;
        let wrong = |what: &dyn ToString| MetaError(what.to_string());
        let sections: Sections = yaml::read(text).map_err(|error| wrong(&error))?;
        let mut meta = Self {
            enc_generation: sections.enc_generation,
            marks: BTreeMap::new(),
        };
        let own = sections
            .namespaces
            .into_iter()
            .map(|(name, lines)| (name.parse(), lines));
        for (scope, lines) in [(Ok(Scope::Global), sections.global)].into_iter().chain(own) {
            let scope = scope.map_err(|error| wrong(&error))?;
            for (name, Line { status }) in lines {
                let name = name.parse().map_err(|error| wrong(&error))?;
                meta.marks.insert((scope.clone(), name), status);
            }
        }
        Ok(meta)
    }

    /// The text of the file.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!(
            "# Names and states only; values are in secrets.enc. Written by `tooldock-manager secrets`.\nenc_generation: {}\n",
            self.enc_generation
        );
        let mut section = None;
        for ((scope, name), mark) in &self.marks {
            let indent = if *scope == Scope::Global { "" } else { "  " };
            if section != Some(scope) {
                if *scope == Scope::Global {
                    text.push_str("global:\n");
                } else {
                    if !matches!(section, Some(Scope::Namespace(_))) {
                        text.push_str("namespaces:\n");
                    }
                    writeln!(text, "  {}:", key(&scope.to_string())).expect(TAKES_ALL);
                }
                section = Some(scope);
            }
            let status = match mark {
                Mark::Set => "set",
                Mark::Placeholder => "placeholder",
            };
            write!(
                text,
                "{indent}  {}:\n{indent}    status: {status}\n",
                key(name.as_str())
            )
            .expect(TAKES_ALL);
        }
        text
    }

    /// Makes it true to the payload: what has a value is set, what lost its value in an older generation is forgotten, and what
    /// should have a value in this one stays, to be reported as missing.
    pub(crate) fn reconcile(&mut self, payload: &Payload, generation: u64) {
        let have: BTreeSet<_> = payload
            .names()
            .map(|(scope, name)| (scope.clone(), name.clone()))
            .collect();
        let older = self.enc_generation < generation;
        self.marks
            .retain(|entry, mark| *mark == Mark::Placeholder || have.contains(entry) || !older);
        self.marks
            .extend(have.into_iter().map(|entry| (entry, Mark::Set)));
        self.enc_generation = self.enc_generation.max(generation);
    }
}

const TAKES_ALL: &str = "a String takes every text";

/// A key of YAML, quoted where a reader may take it for something else than a text.
pub(crate) fn key(name: &str) -> String {
    const WORDS: &[&str] = &["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let number = name.starts_with(|first: char| first.is_ascii_digit());
    if number || WORDS.contains(&name.to_ascii_lowercase().as_str()) {
        format!("\"{name}\"")
    } else {
        name.to_owned()
    }
}
