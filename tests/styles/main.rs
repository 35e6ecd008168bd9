//! Tool files as people write them: with other libraries, with mistakes, and with calls that do not fit.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod calls; // what callers are told of arguments and failures
mod libraries; // namespaces that ask for the real libraries
mod report; // what is said of files that cannot be loaded
