//! Messages as lines over any pair of byte streams: standard input and output, a Unix socket, a duplex in memory.

mod lines;
mod running;
mod serve;
mod talk;

pub use self::serve::{IoSettings, serve};
#[cfg(feature = "client")]
pub(crate) use self::{
    lines::{Frame, Lines},
    talk::{Hear, Talk},
};
