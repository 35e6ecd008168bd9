//! The secrets file beside a second reader and writer that shares no code with ours.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use tooldock_secrets::testing::{good, open};
use tooldock_tests::{Evidence, Marks, needed};

/// Asks the other program.
fn other(request: &Value) -> Value {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/secrets/python/envelope.py");
    let mut child = Command::new(needed("TOOLDOCK_PYTHON_NACL"))
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(request.to_string().as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the other program could not");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The payload of a vector, as a value.
fn payload(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// It opens every sealed file that we open, and finds the same in it.
#[test]
fn s116_a_second_reader_opens_what_we_open() {
    let mut sealed = 0;
    for vector in good() {
        let Some(key) = &vector.key else { continue };
        let theirs = other(&json!({ "open": vector.file, "key": key }));
        assert_eq!(
            payload(theirs["payload"].as_str().unwrap()),
            payload(&vector.open().unwrap()),
            "{}",
            vector.name
        );
        sealed += 1;
    }
    assert_eq!(sealed, 7);
}

/// It opens what our store has just written.
#[test]
fn s116_a_second_reader_opens_what_we_write() {
    use tooldock_secrets::{Key, Keys, SecretValue, Store};
    let folder = tempfile::tempdir().unwrap();
    let key = "second-reader-3d41c8";
    let keys = Keys::new(Key::new(key.as_bytes().to_vec()).unwrap());
    let store = Store::new(folder.path(), keys);
    let value = "quotes \" and ' and $\nand lines \u{1f600}";
    store
        .change(|contents| {
            contents.set(
                "slack".parse().unwrap(),
                "BOT".parse().unwrap(),
                SecretValue::new(value.to_owned()).unwrap(),
            );
            Ok(())
        })
        .unwrap();
    let evidence = Evidence::of(Marks::new(&[("the key", key), ("a value", value)]));
    evidence.search_files(&[folder.path()]);
    evidence.settle();
    let file = std::fs::read_to_string(folder.path().join("secrets.enc")).unwrap();
    let theirs = other(&json!({ "open": file, "key": key }));
    let expected = json!({ "global": {}, "namespaces": { "slack": { "BOT": value } } });
    assert_eq!(payload(theirs["payload"].as_str().unwrap()), expected);
}

/// We open what it writes, at every cost that may be written.
#[test]
fn s116_we_open_what_a_second_writer_writes() {
    let text = json!({ "global": { "A": "\u{1f600}\n\"" }, "namespaces": { "one": { "B": "b" } } });
    for (log_n, p) in [(17, 1), (15, 3), (14, 5), (10, 1)] {
        let request = json!({
            "seal": text.to_string(), "key": "second-writer-3d41c8", "kdf": { "log_n": log_n, "p": p }, "generation": 12,
        });
        let theirs = other(&request);
        let ours = open(
            Some("second-writer-3d41c8"),
            theirs["file"].as_str().unwrap().as_bytes(),
        )
        .unwrap();
        assert_eq!(payload(&ours), text, "{log_n}, {p}");
    }
}
