//! Requests that the gateway itself sends to addresses it was told of: resolved once, to public addresses only.
//!
//! A name that a caller or a registry gives may point into the operator's network. [`Guard`] resolves it, refuses it where one of its
//! addresses is not public, and hands out the checked addresses, which is what is connected to. [`Outbound`] is a client of HTTPS that
//! does so; it follows no redirect to another origin, uses no proxy of the environment, and ends at a size and a time.

mod client;
mod guard;
mod host;
mod public;

pub use self::{
    client::{Outbound, OutboundError, OutboundSettings},
    guard::{Guard, Refused},
    host::HostPort,
    public::is_public,
};
