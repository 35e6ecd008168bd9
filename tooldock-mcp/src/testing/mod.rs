//! For tests: a client in memory, and the contract every session store keeps.

mod client;
mod contract;

pub use self::{client::TestClient, contract::session_store_contract};
