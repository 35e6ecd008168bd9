//! What of a tool is judged: what goes in, or what comes out.

use tooldock_engine::{ErrorKind, RawJson, Tool};

/// What of a tool is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::layers) enum Side {
    /// The arguments, by the input schema.
    Arguments,
    /// The structured result, by the output schema.
    Result,
}

impl Side {
    /// The schema that judges this side of `tool`.
    pub(super) fn schema(self, tool: &Tool) -> Option<&RawJson> {
        match self {
            Self::Arguments => Some(&tool.input_schema),
            Self::Result => tool.output_schema.as_ref(),
        }
    }

    /// What that schema is called.
    pub(super) fn schema_name(self) -> &'static str {
        match self {
            Self::Arguments => "input schema",
            Self::Result => "output schema",
        }
    }

    /// The first word of a path into the value.
    pub(super) fn root(self) -> &'static str {
        match self {
            Self::Arguments => "arguments",
            Self::Result => "result",
        }
    }

    /// The kind of error that a value is which does not fit.
    pub(super) fn kind(self) -> ErrorKind {
        match self {
            Self::Arguments => ErrorKind::InvalidArguments,
            Self::Result => ErrorKind::InvalidOutput,
        }
    }
}
