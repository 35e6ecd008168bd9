//! Certificates of servers on loopback, made by themselves.

use std::{
    path::Path,
    process::{Command, Stdio},
};

/// Makes a certificate for `localhost` and its key in a folder: `cert.pem`, `key.pem`.
///
/// # Panics
///
/// When `openssl` is missing.
pub fn certify(folder: &Path) {
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ])
        .args([
            "-subj",
            "/CN=localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout",
            "key.pem",
            "-out",
            "cert.pem",
        ])
        .current_dir(folder)
        .stderr(Stdio::null())
        .status();
    assert!(made.expect("`openssl` is needed").success());
}
