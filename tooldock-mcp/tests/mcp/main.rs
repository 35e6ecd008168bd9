//! Behaviour of the server, seen from outside.

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
