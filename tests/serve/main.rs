//! The release binary as a tool author and an operator meet it.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod authors;
mod bars;
mod breadth;
mod doors;
mod endings;
mod fidelity;
mod lines; // the process for one client
mod operators;
mod secrets;
mod strays;
