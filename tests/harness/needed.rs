//! What the tests are given by `cargo xtask test`, and what lies in the repository.

use std::path::{Path, PathBuf};

/// The path in the environment variable `name`.
///
/// # Panics
///
/// When it is not set or nothing is there, with a text that says how to run the tests.
#[must_use]
#[allow(
    clippy::disallowed_methods,
    reason = "this is how the test entry hands things to the tests"
)]
pub fn needed(name: &str) -> PathBuf {
    match std::env::var_os(name).map(PathBuf::from) {
        Some(path) if path.exists() => path,
        Some(path) => panic!(
            "`{name}` is `{}`, and nothing is there: run `cargo xtask test`",
            path.display()
        ),
        None => panic!(
            "`{name}` is not set: run through `cargo xtask test`, which builds and names what is needed"
        ),
    }
}

/// The folder of namespaces that the tests serve: `demo` and `second`.
#[must_use]
pub fn fixtures() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/tools"))
}
