//! For tests: an engine and a client that can be scripted, and the contract every engine keeps.

mod client;
mod contract;
mod mock;

pub use self::{
    client::ScriptedClient,
    contract::{Sample, engine_contract},
    mock::{Answering, EngineMock},
};
