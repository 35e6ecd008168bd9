//! Running a gateway as a program: the server with its timers, the signals, the drain.

mod answer;
#[cfg(feature = "cli")]
mod bind;
mod descriptors;
mod head;
mod places;
mod server;
mod signal;
mod stall;
mod unread;

#[cfg(feature = "cli")]
pub(crate) use self::bind::bind;
pub use self::{
    server::{Limits, serve},
    signal::{Signals, shutdown_signal},
};
