//! What tests of this crate, and of programs that use it, need.

mod failing;
mod vectors;
mod writers;

pub use self::{
    failing::{Failing, Fault},
    vectors::{Vector, bad, good, open, values},
    writers::{WRITERS, Writer, beside, seen},
};
use crate::kdf::Kdf;

/// The cheapest cost of a key that is read: a millisecond. Never for real values.
pub const QUICK: Kdf = Kdf::cheapest();
