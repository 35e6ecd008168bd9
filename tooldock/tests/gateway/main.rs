//! The gateway through its router, its registry and its server.

mod doors;
mod fixture;
mod reload;
mod server;
mod swap;
