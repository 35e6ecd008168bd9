//! Checks messages against the published JSON schema of their revision.
//!
//! The schemas lie where `cargo xtask test` has installed the conformance suite, which carries them; without it nothing is checked, and
//! the tests of the area `conformance` fail.
#![allow(
    clippy::panic,
    clippy::expect_used,
    reason = "a message of another form ends the test"
)]

mod exchange; // one request over HTTP, and what is said to it
mod judge; // one conversation, message by message
mod schema; // the published schemas, read once

pub use exchange::Exchange;
pub use judge::Judge;
