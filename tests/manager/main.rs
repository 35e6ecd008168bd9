//! The manager: what a model does with it.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod repositories;
