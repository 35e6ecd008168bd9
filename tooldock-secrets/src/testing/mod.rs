//! What tests of this crate, and of programs that use it, need.

mod failing;
mod vectors;

pub use self::{
    failing::{Failing, Fault},
    vectors::{Vector, bad, good, open, values},
};
use crate::kdf::Kdf;

/// The cheapest cost of a key that is read: a millisecond. Never for real values.
pub const QUICK: Kdf = Kdf::cheapest();
