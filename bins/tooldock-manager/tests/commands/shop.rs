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
use tooldock_tests::{Evidence, Marks};

pub(crate) const KEY: &str = "manager-key-2c81f07e";

/// A data folder with a store whose key costs little. When it ends, neither the key nor a value that has `canary` in it may be in
/// what the program wrote, or in a file that is not the test's own.
pub(crate) struct Shop {
    folder: TempDir,
    evidence: Evidence,
}

impl Shop {
    pub(crate) fn new() -> Self {
        let marks = Marks::new(&[("the key", KEY), ("a value", "canary")]);
        let shop = Self {
            folder: tempfile::tempdir().unwrap(),
            evidence: Evidence::of(marks).without(&["key", "next", "editor"]),
        };
        fs::write(shop.path("key"), format!("{KEY}\n")).unwrap();
        shop.store().change(|_| Ok(())).unwrap();
        shop
    }

    pub(crate) fn store(&self) -> Store {
        let key = Key::new(KEY.as_bytes().to_vec()).unwrap();
        Store::new(self.folder.path(), Keys::new(key)).with_kdf(QUICK)
    }

    pub(crate) fn read(&self) -> Contents {
        self.store().read().unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The program with nothing in its environment but where its key is.
    pub(crate) fn manager(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tooldock-manager"));
        command
            .args(words.split_whitespace())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("DATA_DIR", self.folder.path())
            .env("SECRETS_KEY_FILE", self.path("key"))
            .current_dir(self.folder.path());
        command
    }

    /// Runs it with `input` and without a terminal.
    pub(crate) fn run(&self, words: &str, input: &str) -> Output {
        self.run_as(self.manager(words), input)
    }

    /// Runs it as `command` says.
    pub(crate) fn run_as(&self, mut command: Command, input: &str) -> Output {
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        self.evidence.search_line(child.id());
        // A program that reads nothing may be gone already.
        child.stdin.take().unwrap().write_all(input.as_bytes()).ok();
        let output = child.wait_with_output().unwrap();
        self.saw(&[output.stdout.as_slice(), &output.stderr].concat());
        output
    }

    /// Notes what the program has shown.
    pub(crate) fn saw(&self, shown: &[u8]) {
        self.evidence.hear(shown.to_vec());
    }

    /// A program that edits, as a shell script whose `$1` is the sheet.
    pub(crate) fn editor(&self, script: &str) -> PathBuf {
        let path = self.path("editor");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        path
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        self.evidence.search_files(&[self.folder()]);
        self.evidence.settle();
    }
}

/// A store of one value, whose file of names is out of date.
pub(crate) fn stale() -> Shop {
    let shop = Shop::new();
    assert!(shop.run("secrets set OLD", "old").status.success());
    let stale = fs::read_to_string(shop.path("secrets.meta.yaml")).unwrap();
    let stale = stale.replace("enc_generation: 2", "enc_generation: 0");
    fs::write(
        shop.path("secrets.meta.yaml"),
        stale.split("global").next().unwrap(),
    )
    .unwrap();
    shop
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

/// What each test here ends in.
#[test]
#[should_panic(expected = "leak` holds the key")]
fn f53_a_file_with_the_key_is_noticed() {
    let shop = Shop::new();
    fs::write(shop.path("leak"), KEY).unwrap();
}
