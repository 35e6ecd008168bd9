//! The text that a person edits.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, de::Visitor};
use zeroize::Zeroizing;

use crate::{
    meta::{Mark, key},
    scope::Scope,
    store::Contents,
    value::{SecretValue, ValueError},
    yaml,
};

/// What stands above the values.
const HEAD: &str = "\
# Secrets of ToolDock. Save and close to store them; close without a change to leave everything as it is.
# A name without a value waits for one. A line that is removed removes the secret.
# Quote a value that has special characters: \"...\" as in JSON, or '...' as it is.
";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sections {
    #[serde(default)]
    global: Option<BTreeMap<String, Cell>>,
    #[serde(default)]
    namespaces: Option<BTreeMap<String, Option<BTreeMap<String, Cell>>>>,
}

/// The sheet of a store.
pub(super) fn write(contents: &Contents) -> Zeroizing<Vec<u8>> {
    let values = contents
        .payload
        .0
        .values()
        .flatten()
        .map(|(_, value)| 6 * value.expose().len());
    let names = contents.entries();
    // The most it can become, so that no copy is left behind while it grows: blocks indent each line by six.
    let most = 2 * values.sum::<usize>() + 300 * (names.len() + 4);
    let mut text = Zeroizing::new(Vec::with_capacity(most));
    text.extend_from_slice(HEAD.as_bytes());
    let mut section = Some(&Scope::Global);
    text.extend_from_slice(b"\nglobal:\n");
    let mut below = false;
    for entry in &names {
        if let Scope::Namespace(name) = &entry.scope
            && section != Some(&entry.scope)
        {
            if !below {
                text.extend_from_slice(b"\nnamespaces:\n");
                below = true;
            }
            text.extend_from_slice(format!("  {}:\n", key(name)).as_bytes());
            section = Some(&entry.scope);
        }
        let indent = if below { "    " } else { "  " };
        text.extend_from_slice(format!("{indent}{}:", key(entry.name.as_str())).as_bytes());
        if let Some(value) = contents.get(&entry.scope, entry.name.as_str()) {
            text.push(b' ');
            cell(value.expose(), indent, &mut text);
        }
        text.push(b'\n');
    }
    if !below {
        text.extend_from_slice(b"\nnamespaces:\n");
    }
    text
}

/// A value: as a block of lines where that is exact, else quoted.
fn cell(value: &str, indent: &str, text: &mut Vec<u8>) {
    let inner = value.strip_suffix('\n').unwrap_or(value);
    let plain = |character: char| {
        character == '\n' || !character.is_control() && !character.is_whitespace() || character == ' '
    };
    let block = inner.contains('\n')
        && inner.chars().all(plain)
        && !inner.starts_with([' ', '\n', '\u{feff}'])
        && !inner.ends_with(['\n', ' ']);
    if !block {
        serde_json::to_writer(text, value).expect("a Vec takes every text");
        return;
    }
    text.extend_from_slice(if inner.len() == value.len() { b"|-" } else { b"|" });
    for line in inner.split('\n') {
        text.push(b'\n');
        if !line.is_empty() {
            text.extend_from_slice(indent.as_bytes());
            text.extend_from_slice(b"  ");
            text.extend_from_slice(line.as_bytes());
        }
    }
}

/// Puts what a sheet says in the place of everything.
///
/// The error names a line, or a secret and its rule.
pub(super) fn read(text: &str, contents: &mut Contents) -> Result<(), String> {
    let sections: Sections = yaml::read(text).map_err(|error| error.to_string())?;
    contents.payload = Default::default();
    contents.meta.marks.clear();
    let own = sections.namespaces.unwrap_or_default().into_iter();
    let own = own.map(|(name, cells)| (name, cells.unwrap_or_default()));
    let global = ("global".to_owned(), sections.global.unwrap_or_default());
    for (index, (scope, cells)) in std::iter::once(global).chain(own).enumerate() {
        let parsed: Scope = scope
            .parse()
            .map_err(|error: crate::ScopeError| error.to_string())?;
        if index > 0 && parsed == Scope::Global {
            return Err(
                "a namespace cannot be called `global` here; put its secrets below `global`".to_owned(),
            );
        }
        for (name, Cell(value)) in cells {
            let name: crate::SecretName = name
                .parse()
                .map_err(|error: crate::NameError| error.to_string())?;
            match value {
                Some(Ok(value)) => contents.set(parsed.clone(), name, value),
                Some(Err(error)) => return Err(format!("`{name}` ({parsed}): {error}")),
                None => {
                    contents
                        .meta
                        .marks
                        .insert((parsed.clone(), name), Mark::Placeholder);
                }
            }
        }
    }
    Ok(())
}

/// A value, or none.
struct Cell(Option<Result<SecretValue, ValueError>>);

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Cell;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_str<E>(self, value: &str) -> Result<Cell, E> {
                Ok(Cell(Some(SecretValue::new(value.to_owned()))))
            }

            fn visit_string<E>(self, value: String) -> Result<Cell, E> {
                Ok(Cell(Some(SecretValue::new(value))))
            }

            fn visit_none<E>(self) -> Result<Cell, E> {
                Ok(Cell(None))
            }

            fn visit_unit<E>(self) -> Result<Cell, E> {
                Ok(Cell(None))
            }

            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cell, D::Error> {
                deserializer.deserialize_string(self)
            }
        }
        deserializer.deserialize_option(Text)
    }
}
