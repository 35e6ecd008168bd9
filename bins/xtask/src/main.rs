//! `cargo xtask`: the one entry for tests, checks and generated pages.

fn main() {}
