//! Behaviour of the server, seen from outside.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "tests say what they expect"
)]

mod connection;
mod flood;
mod handshake;
mod ids;
mod lifetimes;
mod lists;
mod modern;
mod notes;
mod results;
mod scene;
mod sessions;
mod stores;
