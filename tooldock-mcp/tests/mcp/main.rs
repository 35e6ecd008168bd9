//! Behaviour of the server, seen from outside.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "tests say what they expect"
)]

mod batches;
mod changes;
mod completion; // proposals for what is typed
mod connection;
mod flood;
mod handshake;
mod hostile;
mod ids;
mod input;
mod legacy;
mod lifetimes;
mod lines;
mod listen;
mod lists;
mod malformed; // what is no message
mod modern;
mod notes;
mod offers;
mod peer; // a client that writes and reads lines
mod probes;
mod replay;
mod results;
mod revisions;
mod scene;
mod scripted; // a server whose answers a test writes
mod sessions;
mod stores;
mod upstream;
mod watches; // resources that are watched, and changes of every kind of list
