//! For tests: a client in memory, the contracts that session stores and event logs keep, and what servers hand out for clients to keep.

mod client;
mod cursors;
mod events;
mod sessions;

pub use self::{
    client::{Look, TestClient},
    cursors::Cursors,
    events::event_log_contract,
    sessions::session_store_contract,
};
pub use crate::input::{StateKeeper, StateOwner};
