//! Each layer alone, and all of them together.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod arguments;
mod authorize;
mod bridge;
mod budget;
mod concurrency;
mod contract;
mod engine;
mod log;
mod output;
mod overrides;
mod panic;
mod rate;
mod record;
mod redact;
mod repair;
mod report;
mod schemas;
mod select;
mod timeout;
mod trace;
