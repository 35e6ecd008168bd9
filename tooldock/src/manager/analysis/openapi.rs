//! Documents of OpenAPI, of which a project makes tools while it runs: one of each operation.

use std::{cell::Cell, time::Instant};

use serde_json::{Map, Value};

use super::{
    Files,
    report::{Parameter, ToolFound},
};

/// Where a document says what it is, at the latest.
const HEAD: usize = 2_000;
/// Files that are looked at, at most.
const DOCUMENTS: usize = 200;
/// Parts of an operation that are told.
const PARAMETERS: usize = 200;
/// What may be copied out of a document, in bytes of texts. One that refers to the same thing a thousand times is not written out so often.
const COPIED: usize = 8 << 20;
/// What a value costs besides its text.
const VALUE: usize = 32;
/// Methods of operations.
const METHODS: &[&str] = &["get", "put", "post", "delete", "patch", "head", "options"];

/// Whether source code works with such a document.
pub(super) fn is_spoken_of(text: &str) -> bool {
    ["openapi", "OpenAPI", "OpenApi"]
        .iter()
        .any(|word| text.contains(word))
}

/// The document nearest to the root, with its operations.
pub(super) fn find<'a>(
    files: &impl Files,
    paths: &[&'a str],
    end: Instant,
) -> Option<(&'a str, Vec<ToolFound>)> {
    let ends = |path: &&str| [".json", ".yaml", ".yml"].iter().any(|end| path.ends_with(end));
    let mut near: Vec<&str> = paths.iter().copied().filter(ends).collect();
    near.sort_by_key(|path| path.matches('/').count());
    near.into_iter().take(DOCUMENTS).find_map(|path| {
        let text = files.read(path).filter(|_| Instant::now() < end)?;
        Some((path, operations(path, &text, end)?))
    })
}

/// The operations of a file, if it is such a document.
fn operations(path: &str, text: &str, end: Instant) -> Option<Vec<ToolFound>> {
    let head: String = text.chars().take(HEAD).collect();
    if !["\"openapi\"", "openapi:", "\"swagger\"", "swagger:"]
        .iter()
        .any(|word| head.contains(word))
    {
        return None;
    }
    let document: Value = match path.ends_with(".json") {
        true => serde_json::from_str(text).ok()?,
        false => serde_saphyr::from_str(text).ok()?,
    };
    let document = Document {
        root: &document,
        left: Cell::new(COPIED),
    };
    let all = document.root["paths"].as_object()?.iter();
    let all = all.flat_map(|(route, item)| METHODS.iter().map(move |method| (route, item, *method)));
    let all = all.take_while(|_| document.left.get() > 0 && Instant::now() < end);
    let tool = |(route, item, method): (&String, &Value, &str)| {
        let operation = item.get(method)?;
        let named = operation["operationId"].as_str().map(str::to_owned);
        let name = named.unwrap_or_else(|| format!("{method}{}", route.replace(['/', '{', '}'], "_")));
        let at = text.find(route.as_str()).unwrap_or_default();
        let described = operation["description"]
            .as_str()
            .or(operation["summary"].as_str());
        document.spend(name.len() + described.map_or(0, str::len));
        Some(ToolFound {
            name,
            file: path.to_owned(),
            line: text[..at].matches('\n').count() + 1,
            description: described.map(str::to_owned),
            parameters: Some(document.parameters(item, operation)),
        })
    };
    Some(all.filter_map(tool).collect())
}

/// A document, and what may still be copied out of it.
struct Document<'a> {
    root: &'a Value,
    left: Cell<usize>,
}

impl<'a> Document<'a> {
    /// What an operation takes: its parameters, those of its path, and the members of its body.
    fn parameters(&self, item: &'a Value, operation: &'a Value) -> Vec<Parameter> {
        let lists = [&item["parameters"], &operation["parameters"]];
        let listed = lists.into_iter().filter_map(Value::as_array).flatten();
        let listed = listed.filter_map(|one| {
            let one = self.followed(one);
            Some(Parameter {
                name: self.text(one["name"].as_str()?),
                required: one["required"] == true,
                schema: self.copy(self.followed(&one["schema"])),
            })
        });
        let body = self.followed(&operation["requestBody"]);
        let schema = self.followed(&body["content"]["application/json"]["schema"]);
        let none = Map::new();
        let members = schema["properties"].as_object().unwrap_or(&none).iter();
        let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
        let members = members.map(|(name, member)| {
            self.spend(required.len());
            Parameter {
                name: self.text(name),
                required: required.iter().any(|one| one == name),
                schema: self.copy(member),
            }
        });
        let mut all: Vec<Parameter> = Vec::new();
        let known = listed.chain(members).take(PARAMETERS);
        for one in known.take_while(|_| self.left.get() > 0) {
            all.retain(|known| known.name != one.name);
            all.push(one);
        }
        all
    }

    /// What stands behind a reference within the document.
    fn followed(&self, value: &'a Value) -> &'a Value {
        let reference = value["$ref"].as_str().and_then(|place| place.strip_prefix('#'));
        reference
            .and_then(|place| self.root.pointer(place))
            .unwrap_or(value)
    }

    fn text(&self, text: &str) -> String {
        match self.spend(text.len()) {
            true => text.to_owned(),
            false => String::new(),
        }
    }

    /// A copy of a value; `true`, which says nothing of a value, where that would be too much.
    fn copy(&self, value: &Value) -> Value {
        match self.affords(value) {
            true => value.clone(),
            false => Value::Bool(true),
        }
    }

    /// Whether there is enough left to copy a value. It is looked at as far as there is.
    fn affords(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.spend(text.len()),
            Value::Array(items) => self.spend(0) && items.iter().all(|item| self.affords(item)),
            Value::Object(members) => members
                .iter()
                .all(|(name, member)| self.spend(name.len()) && self.affords(member)),
            _ => self.spend(0),
        }
    }

    /// Takes what a text of so many bytes costs; false, and nothing is left, where there is not as much.
    fn spend(&self, bytes: usize) -> bool {
        let left = self.left.get().checked_sub(bytes + VALUE);
        self.left.set(left.unwrap_or_default());
        left.is_some()
    }
}
