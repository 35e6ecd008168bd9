//! The one place that reads YAML: files that a person may have edited, so bounded, and quiet about their content.

use serde::de::DeserializeOwned;
use serde_saphyr::Error;

/// Levels a file may have; the deepest of ours has four.
const MAX_DEPTH: usize = 8;

/// What is wrong with a text. Names its line, never its content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub(crate) struct YamlError {
    line: u64,
    what: &'static str,
}

/// Reads a text of one plain YAML document without anchors, aliases and repeated keys.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_anchors: 0,
            max_aliases: 0,
            max_documents: 1,
        },
        merge_keys: serde_saphyr::MergeKeyPolicy::Error,
        with_snippet: false,
        reject_unsupported_tags: true,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| YamlError {
        line: error.location().map_or(1, |location| location.line()),
        what: match error {
            Error::SerdeUnknownField { .. } => "there is no such key here",
            Error::SerdeInvalidType { .. } | Error::SerdeUnknownVariant { .. } => {
                "this is the wrong kind of value"
            }
            Error::DuplicateMappingKey { .. } => "the key is there twice",
            Error::Budget { .. } => "it is nested too deeply, or has anchors, aliases or a second document",
            _ => "this is no plain YAML of the form that belongs here",
        },
    })
}
