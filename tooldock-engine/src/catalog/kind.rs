//! Kinds of things that a catalog offers.

/// A kind of thing that a catalog offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Tools.
    Tools,
    /// Resources and templates of them.
    Resources,
    /// Prompts.
    Prompts,
    /// Proposals for what a user types.
    Completions,
}
