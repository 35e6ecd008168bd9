//! Commands in scripts: no terminal, values through standard input.

use std::{fs, process::Stdio};

use crate::shop::{KEY, Shop, err, got, out};

/// Values arrive byte for byte; one line break at the end belongs to the program that wrote it, unless it is asked for.
#[test]
fn f52_values_arrive_byte_for_byte() {
    let shop = Shop::new();
    for (words, input, value) in [
        (
            "secrets set A",
            "quotes \" ' $HOME `x`\nsecond\n",
            "quotes \" ' $HOME `x`\nsecond",
        ),
        ("secrets set A", "windows\r\n", "windows"),
        ("secrets set A", "two\n\n", "two\n"),
        ("secrets set A --exact", "one\n", "one\n"),
        ("secrets set A", " \t ", " \t "),
    ] {
        let output = shop.run(words, input);
        assert!(output.status.success(), "{}", err(&output));
        assert_eq!(got(&shop, "global", "A").as_deref(), Some(value));
        assert_eq!(
            out(&output),
            "A (global) is stored; a running gateway sees that at its next reload.\n"
        );
    }
}

#[test]
fn s95_s98_refusals_name_the_remedy_and_no_value() {
    let shop = Shop::new();
    for (words, input, status, says) in [
        (
            "secrets set A",
            "",
            1,
            "the value is empty; remove the secret instead",
        ),
        ("secrets set A", "canary-1\0", 1, "a NUL character"),
        ("secrets set A", &"canary-1".repeat(9000), 1, "more than 64 KiB"),
        (
            "secrets set A on-the-line",
            "",
            1,
            "leave it out to be asked for it, or pipe it",
        ),
        (
            "secrets set PATH",
            "canary-1",
            1,
            "steers programs outside this namespace",
        ),
        ("secrets set a", "canary-1", 64, "use 1 to 128 of"),
        ("secrets set A --scope ../x", "canary-1", 64, "is no scope"),
        ("secrets set A --value=on-the-line", "", 64, "--value"),
        (
            "secrets unset A",
            "",
            1,
            "there is no secret `A` in the scope `global`; `secrets list`",
        ),
    ] {
        let output = shop.run(words, input);
        let text = err(&output);
        assert_eq!(output.status.code(), Some(status), "{words}: {text}");
        assert!(text.contains(says) && out(&output).is_empty(), "{words}: {text}");
        for mark in ["canary", "on-the-line", KEY] {
            assert!(!text.contains(mark), "{words}: {text}");
        }
    }
}

/// The settings decide whether a store can be used: key, flag and file in every combination.
#[test]
fn s93_a_missing_key_is_refused() {
    let (shop, empty) = (Shop::new(), tempfile::tempdir().unwrap());
    let with = |flag: bool, key: bool, data: &std::path::Path| {
        let mut command = shop.manager("secrets list");
        command.env("DATA_DIR", data);
        if !key {
            command.env_remove("SECRETS_KEY_FILE");
        }
        if flag {
            command.env("ALLOW_INSECURE_SECRETS", "1");
        }
        let output = shop.run_as(command, "");
        (output.status.code().unwrap(), err(&output))
    };
    let (code, text) = with(false, false, empty.path());
    assert!(
        code == 78 && text.contains("SECRETS_KEY is not set; make one with `tooldock-manager keygen`"),
        "{text}"
    );
    assert_eq!(with(false, true, empty.path()).0, 0);
    assert_eq!(with(true, false, empty.path()).0, 0);
    assert_eq!(with(true, true, empty.path()).0, 0);
    let (code, text) = with(true, false, shop.folder());
    assert!(
        code == 1 && text.contains("it is encrypted and there is no key"),
        "{text}"
    );
    let (code, text) = with(false, false, shop.folder());
    assert!(code == 78 && text.contains("SECRETS_KEY is not set"), "{text}");
    fs::write(shop.path("key"), "short").unwrap();
    let (code, text) = with(false, true, shop.folder());
    assert!(
        code == 78 && text.contains("SECRETS_KEY: the key has under 16 characters"),
        "{text}"
    );
}

#[test]
fn s122_the_key_is_changed_while_both_are_known() {
    let shop = Shop::new();
    shop.run("secrets set A", "canary-1");
    fs::write(shop.path("next"), "next-key-2c81f07e").unwrap();
    let mut command = shop.manager("secrets rekey");
    command
        .env("SECRETS_KEY_FILE", shop.path("next"))
        .env("SECRETS_KEY_PREVIOUS_FILE", shop.path("key"));
    let output = shop.run_as(command, "");
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(
        shop.run("secrets list", "").status.code(),
        Some(1),
        "the old key opens nothing"
    );
    fs::rename(shop.path("next"), shop.path("key")).unwrap();
    assert_eq!(out(&shop.run("secrets list", "")), "A  global  set\n");
}

/// Nothing of a value is in the arguments or the environment of the program, and no other process may look into it.
#[test]
fn s95_other_processes_see_nothing() {
    let shop = Shop::new();
    let mut command = shop.manager("secrets set A");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"canary-1").unwrap();
    let arguments = fs::read(format!("/proc/{}/cmdline", child.id())).unwrap();
    let environment = fs::read(format!("/proc/{}/environ", child.id())).unwrap_or_default();
    drop(input);
    assert!(child.wait().unwrap().success());
    for bytes in [arguments, environment] {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("canary") && !text.contains(KEY), "{text}");
    }
}

/// What is in files, but the one with the values, is names and states.
#[test]
fn f53_no_file_shows_a_value() {
    let shop = Shop::new();
    shop.run("secrets set A", "canary-1");
    shop.run("secrets set B --scope slack", "canary-2");
    for entry in fs::read_dir(shop.folder()).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        assert!(!text.contains("canary"), "{}", path.display());
    }
}
