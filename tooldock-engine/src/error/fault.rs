//! Whose fault an error is.

/// Who has to change something so that the error goes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// The client or the model behind it.
    Caller,
    /// The tool: its code, its packages, its secrets.
    Tool,
    /// The gateway, its configuration or the machine.
    Gateway,
}

impl Fault {
    /// The name in logs and metrics.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Tool => "tool",
            Self::Gateway => "gateway",
        }
    }
}
