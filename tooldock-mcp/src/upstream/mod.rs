//! The other side: a client of servers that speak Streamable HTTP, in both eras.

mod address;
mod agreed;
mod bridge;
mod endpoint;
mod error;
mod events;
mod incoming;
mod learned;
mod mirror;
mod missed;
mod place;
mod posted;
mod renewal;
mod rules;
mod settings;
pub mod sse;
mod standing;
mod subscription;
mod transport;
mod watching;

pub use self::{
    address::{Address, AddressError},
    bridge::bridge,
    error::UpstreamError,
    incoming::Incoming,
    settings::UpstreamSettings,
    transport::Upstream,
    watching::Watching,
};
