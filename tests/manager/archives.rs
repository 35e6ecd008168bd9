//! Packages as their registries have them.

use std::fs;
use std::process::Command;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256, Sha512};

/// A tarball of files in a folder `package`.
pub(crate) fn tarball(files: &[(&str, &str)]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join("package").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let packed = Command::new("tar")
        .arg("-czC")
        .arg(folder.path())
        .arg("package")
        .output()
        .unwrap();
    assert!(packed.status.success());
    packed.stdout
}

/// What npm says of one version of a package whose tarball is at `address`.
pub(crate) fn npm_version(version: &str, address: &str, tarball: &[u8]) -> Value {
    let integrity = format!("sha512-{}", STANDARD.encode(Sha512::digest(tarball)));
    json!({"version": version, "dist": {"tarball": address, "integrity": integrity}})
}

/// The digest that PyPI has of a file.
pub(crate) fn sha256(content: &[u8]) -> String {
    Sha256::digest(content)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
