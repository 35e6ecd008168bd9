//! The one place that reads YAML: small files from anybody, so bounded, plain, and quiet about their content.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_saphyr::{
    Error,
    granit_parser::{Event, Parser},
};

/// Bytes a file may have.
pub(crate) const MAX_BYTES: usize = 32 << 10;
/// Levels a file may have.
const MAX_DEPTH: usize = 32;

/// What is wrong with a YAML text. Names the line and the key, never the content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    line: Option<u64>,
    key: Option<String>,
    what: String,
    /// Whether the text cannot be read at all, so that no rule says what is wanted.
    shapeless: bool,
}

impl YamlError {
    pub(super) fn new(text: &str, line: Option<u64>, what: impl Into<String>) -> Self {
        let key = line.and_then(|line| key_at(text, line));
        Self {
            line,
            key,
            what: what.into(),
            shapeless: false,
        }
    }

    /// Adds what belongs there to an error that says nothing of it.
    pub(super) fn wanting(mut self, form: &str) -> Self {
        if self.shapeless {
            self.what = format!("{}; {form}", self.what);
        }
        self
    }
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(key) = &self.key {
            write!(f, "key `{key}`: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for YamlError {}

/// Reads a text of one plain YAML document into `T`: at most 32 KiB and 32 levels, no anchors, aliases, tags or repeated keys.
///
/// # Errors
/// The broken rule with line and key, never the content.
pub fn read_yaml<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    if text.len() > MAX_BYTES {
        return Err(YamlError::new(
            text,
            None,
            "the file has more than 32 KiB, the most it may have",
        ));
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_anchors: 0,
            max_aliases: 0,
        },
        merge_keys: serde_saphyr::MergeKeyPolicy::Error,
        with_snippet: false,
        reject_unsupported_tags: true,
    };
    let value = serde_saphyr::from_str_with_options(text, options).map_err(|error| describe(text, &error))?;
    // Within the bounds that were just checked, a second look for what the first one lets pass.
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { break };
        if is_marked(&event) {
            let line = u64::try_from(span.start.line()).ok();
            return Err(YamlError::new(
                text,
                line,
                "tags, anchors and aliases are not allowed here",
            ));
        }
    }
    Ok(value)
}

fn is_marked(event: &Event<'_>) -> bool {
    match event {
        Event::Scalar(_, _, anchor, tag) => *anchor != 0 || tag.is_some(),
        _ => matches!(event, Event::Alias(_)),
    }
}

/// The rule that broke, in words that hold nothing of the text.
fn describe(text: &str, error: &Error) -> YamlError {
    let mut shapeless = false;
    let what = match error {
        Error::SerdeUnknownField { expected, .. } => {
            format!("there is no such key; there are `{}`", expected.join("`, `"))
        }
        Error::SerdeInvalidType { expected, .. } => format!("wrong kind of value; wanted is {expected}"),
        Error::DuplicateMappingKey { .. } => "the key is there twice".to_owned(),
        Error::MultipleDocuments { .. } => "a second document is not allowed here".to_owned(),
        Error::Budget { .. } => {
            "the file is nested too deeply, or has tags, anchors, aliases or a second document".to_owned()
        }
        _ => {
            shapeless = true;
            "this is no plain YAML of the form that belongs here".to_owned()
        }
    };
    let line = error.location().map(|location| location.line());
    YamlError {
        shapeless,
        ..YamlError::new(text, line, what)
    }
}

/// The key on a line, if it is a plain one.
fn key_at(text: &str, line: u64) -> Option<String> {
    let line = text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    let (key, _) = line.trim_start_matches([' ', '-']).split_once(':')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (!key.is_empty() && key.len() <= 64 && key.chars().all(plain)).then(|| key.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn s60_levels_are_counted_whatever_is_wanted() {
        let flow = |levels: usize| format!("a: {}{}", "[".repeat(levels), "]".repeat(levels));
        let block = |levels: usize| -> String {
            (0..levels)
                .map(|level| format!("{}a:\n", " ".repeat(level)))
                .collect()
        };
        for text in [flow(20), block(20)] {
            assert!(read_yaml::<Value>(&text).is_ok(), "{text}");
        }
        assert!(read_yaml::<Value>(&flow(40)).is_err());
        let error = read_yaml::<Value>(&block(40)).unwrap_err().to_string();
        assert!(error.contains("nested too deeply"), "{error}");
    }

    #[test]
    fn s60_a_second_document_is_none() {
        for text in ["a: 1\n---\nb: 2\n", "---\na: 1\n---\n", "a: 1\n...\n---\nb: 2\n"] {
            let error = read_yaml::<Value>(text).expect_err(text).to_string();
            assert!(error.contains("second document"), "{text}: {error}");
        }
        assert!(read_yaml::<Value>("---\na: 1\n...\n").is_ok());
    }
}
