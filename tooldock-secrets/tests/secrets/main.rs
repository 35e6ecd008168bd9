//! Tests of the store as a program uses it.
#![expect(clippy::unwrap_used, reason = "what tests share may end a test")]

mod crashes;
mod edit;
mod files;
mod follower;
mod keys;
mod leaks;
mod meta;
mod rekey;
mod shop;
mod vectors;
mod writers;
