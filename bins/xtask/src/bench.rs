//! The benchmarks: built as they ship (profile `dist`), then run by a program of their own.

use std::env;

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::venv::Venv;
use crate::workshop::Workshop;

/// The gateway, the load generator and what stands beside them.
const BUILD: Step = Step {
    name: "bench-build",
    shown: false,
    work: |shop| {
        let build = "build --profile dist --package tooldock-core --package tooldock-bench";
        Program::cargo(shop).words(build).run().map(|()| Verdict::Passed)
    },
};

/// Builds, then measures with the given options of `tooldock-bench`. Results go to `target/bench`.
pub(crate) fn run(shop: &Workshop, options: &[&str]) -> Result<(), String> {
    crate::step::run(shop, &[BUILD])?;
    let programs = shop.built().join("dist");
    let program = Program::new(shop, programs.join("tooldock-bench"))
        .word(&programs)
        .word(shop.root.join("target/bench"))
        .set("PATH", search_path(shop)?);
    options
        .iter()
        .fold(program, |program, option| program.word(option))
        .show()
}

/// Our search path, and behind it the folder of `uv`, which builds the environment of the Python namespace.
fn search_path(shop: &Workshop) -> Result<std::ffi::OsString, String> {
    let uv = Venv::tools(shop).program("uv").unwrap_or_default();
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(uv.parent().map(Into::into));
    env::join_paths(folders).map_err(|error| error.to_string())
}
