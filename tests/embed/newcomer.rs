//! The program that the README prints, in a crate outside the workspace.

use std::{fs, path::Path, process::Command};

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The Rust program below "Embed it".
fn program(readme: &str) -> &str {
    let (_, section) = readme
        .split_once("\n## Embed it\n")
        .expect("the README has the section");
    let (_, program) = section
        .split_once("\n```rust")
        .expect("the section has a program");
    let (_, program) = program.split_once('\n').expect("it begins on the next line");
    program.split_once("\n```").expect("it ends").0
}

#[test]
fn the_program_in_the_readme_compiles_in_a_crate_of_a_stranger() {
    let root = fs::canonicalize(ROOT).unwrap();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let manifest = format!(
        "[package]\nname = \"newcomer\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         axum = \"0.8\"\ntokio = {{ version = \"1\", features = [\"full\"] }}\n\
         tooldock = {{ path = {:?} }}\n\n[workspace]\n",
        root.join("tooldock")
    );
    write(folder.path(), "Cargo.toml", &manifest);
    write(folder.path(), "src/main.rs", program(&readme));
    // The versions that the workspace has, so that nothing needs to be fetched.
    fs::copy(root.join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", root.join("target/newcomer"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
