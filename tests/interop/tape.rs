//! Processes that are started by their clients, with a record of what goes in and comes out, which is judged in the end.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use tooldock_judge::Judge;
use tooldock_tests::{Evidence, key_file, needed};

/// Starts the command of its arguments and keeps both directions in the folder that is called first, under the number of the process.
const RECORD: &str = r#"tee "$0/$$.asked" | "$@" | tee "$0/$$.said""#;

/// The record of every process that was started by one test. When it is dropped, every line that one of them wrote has to be a message
/// of the form that the published schema of its revision says, and nothing of a key or a secret may be in one.
#[derive(Debug)]
pub(crate) struct Tape {
    folder: TempDir,
    evidence: Evidence,
}

impl Tape {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::with_prefix("tape").unwrap(),
            evidence: Evidence::of_a_gateway(),
        }
    }

    /// The address of a client that is to start `tooldock-core` with these words.
    pub(crate) fn start(&self, words: &[&str]) -> String {
        let core = needed("TOOLDOCK_CORE_BIN");
        // These clients pass no environment on that they do not know.
        let key = format!("SECRETS_KEY_FILE={}", key_file().display());
        let folder = self.folder.path().to_str();
        let before = ["sh", "-c", RECORD].into_iter().chain(folder);
        let core = ["env", &key].into_iter().chain(core.to_str());
        let command: Vec<&str> = before.chain(core).chain(words.iter().copied()).collect();
        format!("lines:{}", json!(command))
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let files = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let said = files.filter(|file| file.extension().is_some_and(|kind| kind == "said"));
        let judged = said.map(|said| Judge::conversation(read(&said.with_extension("asked")), read(&said)));
        assert!(judged.sum::<usize>() > 0, "nothing was said");
        self.evidence.search_files(&[self.folder.path()]);
        self.evidence.settle();
    }
}

/// The messages in a record, a line each. Nothing else may be in it; a line that was not ended was not said.
fn read(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let message = |line: &str| serde_json::from_str(line).unwrap_or_else(|_| panic!("no message: `{line}`"));
    lines.map(message).collect()
}
