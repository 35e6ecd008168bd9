//! The gateway through its router, its registry and its server.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::type_complexity,
    reason = "tests"
)]

mod bodies;
mod cors;
mod doors;
mod fixture;
mod manage;
mod reload;
mod rest;
mod script;
mod server;
mod swap;
