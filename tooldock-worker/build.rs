//! Lists the files of the Python runtime, so that the crate can carry them.

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("python/tooldock_worker");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &root, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let path = root.join(&file);
        writeln!(
            table,
            "    ({file:?}, include_str!({:?})),",
            path.display().to_string()
        )
        .expect("a String takes every text");
    }
    table.push_str("]\n");
    fs::write(PathBuf::from(variable("OUT_DIR")).join("runtime_files.rs"), table)
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is how cargo talks to a build script"
)]
fn variable(name: &str) -> String {
    std::env::var(name).expect("cargo sets it for build scripts")
}

/// Adds the Python files below `folder` by their path from `root`.
fn collect(root: &Path, folder: &Path, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "py") {
            let name = path.strip_prefix(root).expect("it was found below the root");
            files.push(name.display().to_string());
        }
    }
    Ok(())
}
