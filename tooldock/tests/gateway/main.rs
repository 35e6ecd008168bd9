//! The gateway through its router, its registry and its server.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    clippy::disallowed_methods,
    clippy::type_complexity,
    reason = "tests"
)]

mod bodies;
mod cors;
mod crowds; // many clients at once
mod doors;
mod fixture;
mod legacy; // the transport of 2024-11-05
mod listeners;
mod manage;
mod metrics;
#[cfg(all(feature = "oauth", feature = "tls"))]
mod oauth;
mod principals; // what is of one caller alone
mod probes; // what tells servers apart
mod reload;
mod rest;
mod script;
mod server;
mod swap;
mod tenants;
#[cfg(feature = "tls")]
mod tls;
mod unread;
