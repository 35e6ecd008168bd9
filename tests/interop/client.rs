//! One client in one mode: how it is started, and the one line it reports.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tooldock_tests::{judge, needed, node};

/// The newest revision with a handshake.
const HANDSHAKE: Option<&str> = Some("2025-11-25");

/// The one before that.
const OLDER: Option<&str> = Some("2025-06-18");

/// The newest revision without one.
pub(crate) const MODERN: Option<&str> = Some("2026-07-28");

/// All clients in all their modes: program, mode, the revision that it has to agree on, what it can do.
pub(crate) static CLIENTS: &[Client] = &[
    Client(Program::Python(SECOND, "client.py"), "auto", MODERN, Skill::Talks),
    Client(
        Program::Python(SECOND, "client.py"),
        "legacy",
        HANDSHAKE,
        Skill::Talks,
    ),
    Client(
        Program::Python(FIRST, "first.py"),
        "legacy",
        HANDSHAKE,
        Skill::Talks,
    ),
    Client(
        Program::Python(FIRST, "first.py"),
        "2025-06-18",
        OLDER,
        Skill::Talks,
    ),
    Client(
        Program::Python(FIRST, "fast.py"),
        "legacy",
        HANDSHAKE,
        Skill::Talks,
    ),
    Client(
        Program::Python(FOURTH, "fast.py"),
        "legacy",
        HANDSHAKE,
        Skill::Talks,
    ),
    Client(Program::Python(FOURTH, "fast.py"), "auto", MODERN, Skill::Talks),
    Client(Program::Node("v1.mjs"), "legacy", HANDSHAKE, Skill::Talks),
    Client(Program::Node("v2.mjs"), "legacy", HANDSHAKE, Skill::Talks),
    Client(Program::Node("v2.mjs"), "2025-06-18", OLDER, Skill::Talks),
    Client(Program::Node("v2.mjs"), "auto", MODERN, Skill::Talks),
    Client(Program::Node("remote.mjs"), "legacy", None, Skill::Talks),
    Client(Program::Node("inspector.mjs"), "auto", None, Skill::Calls),
    Client(Program::Rust, "auto", MODERN, Skill::Talks),
    Client(Program::Rust, "discover", MODERN, Skill::Talks),
    Client(Program::Rust, "initialize", HANDSHAKE, Skill::Talks),
];

/// Interpreters: with `mcp` 2.x, with `mcp` 1.x and fastmcp 2.x, with fastmcp 4.x.
const SECOND: &str = "TOOLDOCK_PYTHON_MCP";
const FIRST: &str = "TOOLDOCK_TEST_FASTMCP2_PYTHON";
const FOURTH: &str = "TOOLDOCK_TEST_FASTMCP_PYTHON";

/// A client program in one of its modes, the revision it has to end up with where it can tell, and what it can do.
#[derive(Debug)]
pub(crate) struct Client(
    Program,
    &'static str,
    pub(crate) Option<&'static str>,
    pub(crate) Skill,
);

/// What a client can do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Skill {
    /// It lists, and calls what it has seen listed.
    Calls,
    /// It also calls what is not there, hears what a call says, cancels one, and hears of changes.
    Talks,
}

/// Which program, on which SDK.
#[derive(Debug)]
enum Program {
    Python(&'static str, &'static str),
    Node(&'static str),
    Rust,
}

impl Client {
    /// Runs the client to its end and reads the line it prints.
    pub(crate) fn report(&self, url: &str, token: &str, namespace: Option<&str>) -> Result<Value, String> {
        let mut command = self.0.command();
        command.args([url, token, self.1]).args(namespace);
        read(command)
    }

    /// Does the same in a changed environment.
    pub(crate) fn report_through(
        &self,
        url: &str,
        token: &str,
        change: impl FnOnce(&mut Command),
    ) -> Result<Value, String> {
        let mut command = self.0.command();
        command.args([url, token, self.1]);
        change(&mut command);
        read(command)
    }

    /// Whether it ends with words, and does not hang, when it has a wrong token.
    pub(crate) fn is_kept_out(&self, url: &str) -> Result<(), String> {
        match self.report(url, "a-token-that-nobody-gave-out", None) {
            Err(failure) if failure.contains("ended with") => Ok(()),
            other => Err(format!("with a wrong token: {other:?}")),
        }
    }

    /// Whether it can also start a process and talk to that; once for each era is enough.
    pub(crate) fn starts_processes(&self) -> bool {
        self.2 != OLDER && ["client.py", "first.py", "v1.mjs"].contains(&self.name())
    }

    /// Whether it can also speak the transport of 2024-11-05; once is enough.
    pub(crate) fn speaks_sse(&self) -> bool {
        self.2 != OLDER && ["first.py", "v1.mjs"].contains(&self.name())
    }

    /// The file of its program.
    pub(crate) fn name(&self) -> &'static str {
        match self.0 {
            Program::Python(_, script) | Program::Node(script) => script,
            Program::Rust => "rmcp",
        }
    }

    /// Its place in the table.
    pub(crate) fn number(&self) -> usize {
        let found = CLIENTS.iter().position(|client| std::ptr::eq(client, self));
        found.expect("it stands in the table")
    }

    /// Does the same for an errand in a namespace: `visit`, `fetch`, or a conversation if it is the folder of its files.
    pub(crate) fn run(
        &self,
        url: &str,
        token: &str,
        namespace: &str,
        errand: impl AsRef<OsStr>,
    ) -> Result<Value, String> {
        let mut command = self.0.command();
        command.args([url, token, self.1, namespace]).arg(errand);
        read(command)
    }
}

/// Runs a client and reads its report.
fn read(mut command: Command) -> Result<Value, String> {
    let output = judge(&mut command).map_err(|error| format!("could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let line = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&line).map_err(|error| format!("printed `{line}`: {error}"))
}

impl Program {
    fn command(&self) -> Command {
        let (program, script) = match self {
            Self::Python(interpreter, script) => {
                let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/clients/python"));
                (needed(interpreter), Some(folder.join(script)))
            }
            Self::Node(script) => (node(), Some(needed("TOOLDOCK_NODE_CLIENTS").join(script))),
            Self::Rust => (needed("TOOLDOCK_RMCP_CLIENT"), None),
        };
        let mut command = Command::new(program);
        command.args(script);
        command
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} in mode `{}`", self.0, self.1)
    }
}
