//! Connects, lists, calls, and tells what it saw.

fn main() {}
