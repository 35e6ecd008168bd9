//! What is wrong with a JSON text, and where.

/// The rule a text breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonProblem {
    /// Not UTF-8.
    #[error("is not UTF-8")]
    Encoding,
    /// Not JSON.
    #[error("is not JSON")]
    Syntax,
    /// More text behind the value.
    #[error("has more text behind the value")]
    Trailing,
    /// Arrays and objects nested deeper than so many levels, which is [`ScanLimits::depth`](super::ScanLimits::depth).
    #[error("is nested deeper than `{0}` levels")]
    Depth(usize),
    /// More than so many values, which is [`ScanLimits::values`](super::ScanLimits::values).
    #[error("has more than `{0}` values")]
    Values(usize),
    /// A member name occurs twice in one object.
    #[error("repeats a member name in one object")]
    Repeated,
    /// A `\u` escape is half of a surrogate pair.
    #[error("has an unpaired surrogate escape")]
    Surrogate,
    /// A number, integers included, beyond the range of a 64-bit float.
    #[error("has a number out of range")]
    Number,
}

impl JsonProblem {
    /// Whether the text is JSON at all, so that a peer is to be told *invalid request* and not *parse error*.
    #[must_use]
    pub fn is_json(self) -> bool {
        matches!(
            self,
            Self::Depth(_) | Self::Values(_) | Self::Repeated | Self::Number
        )
    }

    /// What a client that sent the text can do.
    #[must_use]
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Encoding => "send UTF-8",
            Self::Syntax | Self::Trailing => "send one JSON object",
            Self::Depth(_) => "send it flatter, or let the operator raise MAX_JSON_DEPTH",
            Self::Values(_) => "send less at once, or let the operator raise MAX_JSON_VALUES",
            Self::Repeated => "name each member once",
            Self::Surrogate => "escape both halves of the pair, or write the character itself",
            Self::Number => "send such a number as a text",
        }
    }
}

/// A refused JSON text: the broken rule and the byte where it broke. Holds nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the JSON text {problem} (at byte {offset})")]
pub struct JsonFault {
    /// The broken rule.
    pub problem: JsonProblem,
    /// Bytes from the start of the text.
    pub offset: usize,
}
