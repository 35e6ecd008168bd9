//! The release binary as a tool author and an operator meet it.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod authors;
mod bars;
mod breadth;
mod clock;
mod descriptors;
mod doors;
mod endings;
mod faults;
mod fidelity;
mod isolation;
mod leaks; // what may not get out
mod lines; // the process for one client
mod metrics;
mod oauth;
mod operators;
mod records; // what is kept of calls
mod secrets;
mod slow;
mod storms;
mod strays;
mod traces;
mod upgrades;
mod volume;
