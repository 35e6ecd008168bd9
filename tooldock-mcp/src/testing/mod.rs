//! For tests: a client in memory, and the contracts that session stores and event logs keep.

mod client;
mod events;
mod sessions;

pub use self::{client::TestClient, events::event_log_contract, sessions::session_store_contract};
