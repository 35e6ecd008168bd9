//! The REST routes, called as a service.

mod app;
mod cancel;
mod errors;
mod list;
mod paths;
mod results;
