//! The gateway through its router, its registry and its server.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::type_complexity,
    reason = "tests"
)]

mod doors;
mod fixture;
mod reload;
mod server;
mod swap;
