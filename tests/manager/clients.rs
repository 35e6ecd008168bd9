//! Clients that somebody else wrote, which are handed a list of calls.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::Value;
use tooldock_tests::{needed, node};

use crate::pair::{Answered, Pair};
use crate::programs::TOKEN;

/// A client.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Client {
    Python,
    TypeScript,
}

impl Client {
    /// Has it make the calls, each `[tool, arguments]`, and gives what it was told.
    pub(crate) fn call(self, pair: &Pair, calls: &Value) -> Vec<Answered> {
        let mut command = match self {
            Self::Python => {
                let mut command = Command::new(needed("TOOLDOCK_PYTHON_MCP"));
                command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/clients/python/manage.py"));
                command
            }
            Self::TypeScript => {
                let mut command = Command::new(node());
                command.arg(needed("TOOLDOCK_NODE_CLIENTS").join("manage.mjs"));
                command
            }
        };
        let seen = pipe(command.args([&pair.url(), TOKEN]), &calls.to_string());
        pair.hear(&seen);
        let seen: Vec<Value> = serde_json::from_str(&seen).unwrap();
        let answered = |one: Value| {
            let text = one["text"].as_str().unwrap_or_default();
            Answered::new(one["failed"] == true, &one["structured"], text)
        };
        seen.into_iter().map(answered).collect()
    }
}

/// Gives a program its standard input and takes the last line of its standard output.
pub(crate) fn pipe(command: &mut Command, input: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let last = lines.map_while(Result::ok).last().unwrap_or_default();
    assert!(child.wait().unwrap().success(), "{command:?} failed");
    last
}
