//! Real clients against the running gateway.

fn main() {}
