//! What others embed: each example as a program would call it, and the README's program in a crate outside the workspace.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod call; // a request to an application in memory
mod doors; // every way to a tool
mod engine;
mod host;
mod layer;
mod minimal;
mod newcomer;
mod policies;
mod transport;
