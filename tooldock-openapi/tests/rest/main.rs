//! The REST routes, called as a service.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod app;
mod cancel;
mod docs;
mod document;
mod errors;
mod list;
mod paths;
mod results;
