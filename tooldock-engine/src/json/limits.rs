//! How deep and how wide a JSON text may be.

/// Bounds of a scan, checked while reading and before any tree is built.
///
/// The bound on bytes is the reader's: whoever reads from a socket stops there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanLimits {
    /// Arrays and objects inside each other.
    pub depth: usize,
    /// Values in all, member names not counted.
    pub values: usize,
}

impl ScanLimits {
    /// For what a client sends: depth 64, 100,000 values (settings `MAX_JSON_DEPTH`, `MAX_JSON_VALUES`).
    pub const MESSAGE: Self = Self {
        depth: 64,
        values: 100_000,
    };
    /// For what an engine answers: depth 128, 2,000,000 values.
    pub const RESULT: Self = Self {
        depth: 128,
        values: 2_000_000,
    };
}
