//! JSON as bytes: scanned once, strictly, and then cut and spliced without being parsed again.
//!
//! What enters ToolDock is read by [`RawJson::scan`], which is stricter than a usual parser, so that two parsers can never
//! disagree about the same bytes: no repeated member names (not even through escapes), no number that a 64-bit float
//! cannot hold, no unpaired surrogates, bounded depth and count. Everything behind that passes bytes.

mod fault;
mod limits;
mod members;
mod outline;
mod raw;
mod scan;
mod writer;

pub use self::{
    fault::{JsonFault, JsonProblem},
    limits::ScanLimits,
    members::Members,
    outline::{Member, Outline},
    raw::RawJson,
    writer::ObjectWriter,
};
