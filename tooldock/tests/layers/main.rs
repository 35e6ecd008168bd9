//! Each layer alone, and all of them together.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod arguments;
mod concurrency;
mod contract;
mod engine;
mod panic;
mod repair;
mod schemas;
mod timeout;
