//! Names that travel through every door: one rule each, checked on the raw value.

mod choice;
mod namespace;
mod pattern;
mod tool;

pub use self::{
    choice::NameChoice,
    namespace::{NamespaceName, RESERVED_NAMESPACES, RESERVED_TOOLS, SYSTEM_NAMESPACE},
    pattern::NamePattern,
    tool::ToolName,
};

/// Why a text is no name, or no pattern of names. `Display` names the rule and the value and is safe to show to a caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} `{value}` {rule}")]
pub struct NameError {
    what: &'static str,
    value: String,
    rule: &'static str,
}

impl NameError {
    fn new(what: &'static str, value: &str, rule: &'static str) -> Self {
        let shown: String = value.chars().take(80).flat_map(char::escape_debug).collect();
        Self {
            what,
            value: shown,
            rule,
        }
    }
}
