//! What kind of value stands where an object belongs.

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
