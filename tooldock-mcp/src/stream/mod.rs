//! Streams of sessions: they outlive the connections that carry them, so that a client which comes back misses nothing.
//!
//! Each message goes to one stream and is kept there under an id, within bounds. A client names the last id it saw and gets what was
//! sent on that stream since (2025-11-25, Transports, Resumability and Redelivery).

mod channel;
mod event_id;
mod limits;
mod log;
mod memory;
mod reader;
mod streams;

pub(crate) use self::{
    channel::{Carries, Channel},
    reader::Reader,
    streams::Streams,
};
pub use self::{
    event_id::{EventId, NotAnEventId, StreamId},
    limits::ReplayLimits,
    log::{Event, EventLog},
    memory::MemoryEvents,
};
