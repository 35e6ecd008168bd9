//! One client in one mode: how it is started, and the one line it reports.

use std::fmt;
use std::process::Command;

use serde_json::Value;
use tooldock_tests::needed;

/// The newest revision with a handshake.
const HANDSHAKE: &str = "2025-11-25";

/// The newest revision without one.
const MODERN: &str = "2026-07-28";

/// All clients in all their modes, and the revision that each of them has to agree on.
pub(crate) const CLIENTS: &[Client] = &[
    Client {
        program: Program::Python,
        mode: "auto",
        protocol: MODERN,
    },
    Client {
        program: Program::Python,
        mode: "legacy",
        protocol: HANDSHAKE,
    },
    Client {
        program: Program::Node("v1.mjs"),
        mode: "legacy",
        protocol: HANDSHAKE,
    },
    Client {
        program: Program::Node("v2.mjs"),
        mode: "auto",
        protocol: MODERN,
    },
    Client {
        program: Program::Node("v2.mjs"),
        mode: "legacy",
        protocol: HANDSHAKE,
    },
    Client {
        program: Program::Rust,
        mode: "auto",
        protocol: MODERN,
    },
    Client {
        program: Program::Rust,
        mode: "discover",
        protocol: MODERN,
    },
    Client {
        program: Program::Rust,
        mode: "initialize",
        protocol: HANDSHAKE,
    },
];

/// A client program in one of its modes.
#[derive(Debug)]
pub(crate) struct Client {
    program: Program,
    mode: &'static str,
    /// The revision it has to end up with.
    pub(crate) protocol: &'static str,
}

/// Which program, on which SDK.
#[derive(Debug)]
enum Program {
    Python,
    Node(&'static str),
    Rust,
}

impl Client {
    /// Runs the client to its end and reads the line it prints.
    pub(crate) fn report(&self, url: &str, token: &str, namespace: Option<&str>) -> Result<Value, String> {
        let mut command = self.program.command();
        command.args([url, token, self.mode]).args(namespace);
        let output = command
            .output()
            .map_err(|error| format!("could not be started: {error}"))?;
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
}

impl Program {
    fn command(&self) -> Command {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/python/client.py");
        match self {
            Self::Python => {
                let mut command = Command::new(needed("TOOLDOCK_PYTHON_MCP"));
                command.arg(script);
                command
            }
            Self::Node(name) => {
                let mut command = Command::new("node");
                command.arg(needed("TOOLDOCK_NODE_CLIENTS").join(name));
                command
            }
            Self::Rust => Command::new(needed("TOOLDOCK_RMCP_CLIENT")),
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} in mode `{}`", self.program, self.mode)
    }
}
