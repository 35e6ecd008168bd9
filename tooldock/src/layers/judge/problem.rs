//! One thing that is wrong with a value.

use std::fmt::Write as _;

use jsonschema::{ValidationError, error::ValidationErrorKind as Kind};
use serde_json::{Value, json};

/// Characters of a value that a text shows.
const SHOWN: usize = 200;

/// A step from a value to one inside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::layers) enum Step {
    Name(String),
    Index(usize),
}

/// One thing that is wrong with a value.
#[derive(Debug)]
pub(in crate::layers) struct Problem {
    /// Where, from the whole value on.
    pub(in crate::layers) place: Vec<Step>,
    /// What is expected there: "must be …".
    pub(super) rule: String,
    /// What is there, as JSON, if telling it helps.
    pub(super) found: Option<String>,
    /// The keyword of JSON Schema that says so.
    pub(super) keyword: String,
    /// The types that would be right, where the type is what is wrong.
    pub(in crate::layers) wanted: Vec<String>,
}

impl Problem {
    /// The value at `place` breaks `rule`.
    pub(super) fn new(place: &[Step], keyword: &str, rule: String, found: &Value) -> Self {
        Self {
            place: place.to_vec(),
            rule,
            found: Some(cut(found.to_string())),
            keyword: keyword.to_owned(),
            wanted: Vec::new(),
        }
    }

    /// The value at `place` has none of the `wanted` types.
    pub(super) fn of_type(place: &[Step], keyword: &str, wanted: Vec<String>, found: &Value) -> Self {
        let names: Vec<String> = wanted.iter().map(|name| with_article(name)).collect();
        Self {
            wanted,
            ..Self::new(place, keyword, format!("must be {}", names.join(" or ")), found)
        }
    }

    /// The problems behind one error of a schema without subschemas.
    pub(super) fn from_error(place: &[Step], error: &ValidationError<'_>, schema: &Value) -> Vec<Self> {
        let inside = |name: &str, rule: String| Self {
            place: [place, &[Step::Name(name.to_owned())]].concat(),
            found: None,
            ..Self::new(place, error.kind().keyword(), rule, &Value::Null)
        };
        match error.kind() {
            Kind::Type { .. } => vec![Self::of_type(
                place,
                "type",
                types(&schema["type"]),
                error.instance(),
            )],
            Kind::Required { property } => {
                vec![inside(
                    property.as_str().unwrap_or_default(),
                    "is required and missing".to_owned(),
                )]
            }
            Kind::AdditionalProperties { unexpected } => {
                let known = known(&schema["properties"]);
                unexpected
                    .iter()
                    .map(|name| inside(name, format!("is not known here; {known}")))
                    .collect()
            }
            _ => vec![Self::new(
                place,
                error.kind().keyword(),
                rule(error),
                error.instance(),
            )],
        }
    }

    /// The path that a text shows, from the name of the whole value on: `arguments.items[3].name`.
    pub(super) fn path(&self, root: &str) -> String {
        let mut path = root.to_owned();
        for step in &self.place {
            match step {
                Step::Index(index) => write!(path, "[{index}]").expect("a String takes every text"),
                Step::Name(name) if name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => {
                    path.extend([".", name]);
                }
                Step::Name(name) => path.extend(["[", &json!(name).to_string(), "]"]),
            }
        }
        cut(path)
    }
}

/// The names of the types that a `type` keyword holds.
pub(super) fn types(keyword: &Value) -> Vec<String> {
    match keyword {
        Value::String(one) => vec![one.clone()],
        Value::Array(some) => some.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn with_article(name: &str) -> String {
    match name {
        "null" => "null".to_owned(),
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

fn known(properties: &Value) -> String {
    let names: Vec<&str> = properties
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| &**name)
        .collect();
    if names.is_empty() {
        return "nothing may stand here".to_owned();
    }
    format!("known are {}", cut(format!("`{}`", names.join("`, `"))))
}

fn rule(error: &ValidationError<'_>) -> String {
    let shown = |value: &Value| cut(value.to_string());
    match error.kind() {
        Kind::Enum { options } => format!("must be one of {}", shown(options)),
        Kind::Constant { expected_value } => format!("must be {}", shown(expected_value)),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("must have at least {limit} characters"),
        Kind::MaxLength { limit } => format!("must have at most {limit} characters"),
        Kind::MinItems { limit } => format!("must have at least {limit} items"),
        Kind::MaxItems { limit } => format!("must have at most {limit} items"),
        Kind::MinProperties { limit } => format!("must have at least {limit} members"),
        Kind::MaxProperties { limit } => format!("must have at most {limit} members"),
        Kind::UniqueItems => "must not hold an item twice".to_owned(),
        Kind::Pattern { pattern } => format!("must match the pattern {}", cut(json!(pattern).to_string())),
        _ => cut(error.masked_with("the value").to_string()),
    }
}

/// At most [`SHOWN`] characters of `text`.
pub(super) fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(SHOWN) {
        text.truncate(end);
        text.push('…');
    }
    text
}
