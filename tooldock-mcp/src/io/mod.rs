//! Messages as lines over any pair of byte streams: standard input and output, a Unix socket, a duplex in memory.

mod lines;
mod serve;

pub use self::serve::{IoSettings, serve};
