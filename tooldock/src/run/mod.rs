//! Running a gateway as a program: the server with its timers, the signals, the drain.

mod answer;
mod head;
mod server;
mod signal;

pub(crate) use self::server::bind;
pub use self::{
    server::{Limits, serve},
    signal::shutdown_signal,
};
