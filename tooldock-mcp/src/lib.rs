#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod builder;
mod call;
pub mod connection;
mod cursor;
mod definition;
mod dispatch;
pub mod era;
pub mod http;
mod input;
pub mod io;
pub mod legacy;
mod listing;
mod mark;
mod methods;
mod model;
mod pages;
mod random;
mod refusal;
mod revision;
mod server;
pub mod session;
mod settings;
pub mod stream;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "client")]
pub mod upstream;
mod watch;
pub mod wire;

pub use self::{
    builder::ServerBuilder,
    connection::{Connection, ConnectionInfo, Reply},
    http::{refusal, router},
    input::{InputLimits, SealKey},
    refusal::Refusal,
    revision::{Era, Revision, Revisions, UnknownRevision},
    server::Server,
    settings::Settings,
};
