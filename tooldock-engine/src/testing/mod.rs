//! For tests: an engine that can be scripted, and the contract every engine keeps.

mod contract;
mod mock;

pub use self::{
    contract::{Sample, engine_contract},
    mock::{Answering, EngineMock},
};
