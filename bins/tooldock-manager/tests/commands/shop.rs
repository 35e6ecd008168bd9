//! A data folder, and the program over it.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;
use tooldock_secrets::{Contents, Key, Keys, Store, testing::QUICK};

pub(crate) const KEY: &str = "manager-key-2c81f07e";

/// A data folder with a store whose key costs little.
pub(crate) struct Shop(TempDir);

impl Shop {
    pub(crate) fn new() -> Self {
        let shop = Self(tempfile::tempdir().unwrap());
        fs::write(shop.path("key"), format!("{KEY}\n")).unwrap();
        shop.store().change(|_| Ok(())).unwrap();
        shop
    }

    pub(crate) fn store(&self) -> Store {
        let key = Key::new(KEY.as_bytes().to_vec()).unwrap();
        Store::new(self.0.path(), Keys::new(key)).with_kdf(QUICK)
    }

    pub(crate) fn read(&self) -> Contents {
        self.store().read().unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The program with nothing in its environment but where its key is.
    pub(crate) fn manager(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tooldock-manager"));
        command
            .args(words.split_whitespace())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("DATA_DIR", self.0.path())
            .env("SECRETS_KEY_FILE", self.path("key"))
            .current_dir(self.0.path());
        command
    }

    /// Runs it with `input` and without a terminal.
    pub(crate) fn run(&self, words: &str, input: &str) -> Output {
        run(self.manager(words), input)
    }

    /// A program that edits, as a shell script whose `$1` is the sheet.
    pub(crate) fn editor(&self, script: &str) -> PathBuf {
        let path = self.path("editor");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        path
    }
}

pub(crate) fn run(mut command: Command, input: &str) -> Output {
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A program that reads nothing may be gone already.
    child.stdin.take().unwrap().write_all(input.as_bytes()).ok();
    child.wait_with_output().unwrap()
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// One value as text.
pub(crate) fn got(shop: &Shop, scope: &str, name: &str) -> Option<String> {
    let contents = shop.read();
    contents
        .get(&scope.parse().unwrap(), name)
        .map(|value| value.expose().to_owned())
}
