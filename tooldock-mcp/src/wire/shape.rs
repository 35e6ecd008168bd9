//! What kind of value stands where an object belongs.

use tooldock_engine::json::Member;

/// What kind of value stands where an object belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Shape {
    /// Nothing.
    #[default]
    Absent,
    /// An object.
    Object,
    /// Something else.
    Other,
}

impl Shape {
    /// The kind of a value that is there.
    pub(super) fn of(member: Member<'_>) -> Self {
        match member.text().starts_with(b"{") {
            true => Self::Object,
            false => Self::Other,
        }
    }
}
