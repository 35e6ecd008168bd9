//! Calls that ask their clients.

mod parked;
mod passed;
mod person;
mod rounds;
mod sealed;
mod session;
