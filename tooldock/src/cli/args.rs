//! The command line of `tooldock-core`.

use std::{collections::BTreeMap, path::PathBuf};

use clap::{Args, Parser, Subcommand};
use tooldock_engine::NamespaceName;

use super::{
    flags::{ConnectTable, SettingFlags},
    threads,
};

/// A gateway that serves folders of Python tools over MCP and REST.
#[derive(Debug, Parser)]
#[command(name = "tooldock-core", version)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Serve the namespaces in `<data-dir>/tools` (the default). A flag counts before the environment, the environment before
    /// `<data-dir>/config.yaml`, that before the default.
    Serve(ServeArguments),
    /// Serve a folder on this machine, for developing tools: makes tokens, prints how to connect, reloads on changes.
    Dev(DevArguments),
    /// Serve one namespace on standard input and output, for clients that start a process. Log lines go to standard error. Ends when
    /// standard input does.
    Stdio(StdioArguments),
    /// Carry the messages of a client that starts processes to a server: standard input and output on this side, Streamable HTTP on the
    /// other. The token is taken from $TOOLDOCK_TOKEN or a file, never from the command line.
    Connect(ConnectArguments),
}

impl Default for Command {
    fn default() -> Self {
        Self::Serve(ServeArguments::default())
    }
}

impl Command {
    /// How many threads its settings want; 0 where that is not said.
    pub(super) fn threads(&self) -> usize {
        match self {
            Self::Serve(arguments) => threads::wanted(&arguments.flags.0),
            Self::Dev(arguments) => threads::wanted(&arguments.flags()),
            Self::Stdio(arguments) => threads::wanted(&arguments.flags.0),
            // It serves one client.
            Self::Connect(_) => 1,
        }
    }
}

#[derive(Debug, Default, Args)]
pub(super) struct ServeArguments {
    #[command(flatten)]
    pub(super) flags: SettingFlags,
    /// Print every setting as it counts, and where it comes from, and end. Of secrets only whether they are set.
    #[arg(long)]
    pub(super) print_config: bool,
    /// Take the place of the gateway that has started this one, because it was sent SIGUSR2.
    #[arg(long, hide = true)]
    pub(super) take_over: bool,
}

#[derive(Debug, Args)]
pub(super) struct DevArguments {
    /// Folder of tools: each folder in it that holds tool files is a namespace; without such folders it is one itself, if
    /// it holds tool files. Nothing is written into it.
    /// Without it: `<data-dir>/tools`.
    pub(super) folder: Option<PathBuf>,
    /// Port on 127.0.0.1; 0 lets the system choose.
    #[arg(long, default_value_t = 8000)]
    pub(super) port: u16,
    /// File with the token that clients send. Without it: $BEARER_TOKEN, else the one in `<data-dir>/dev.env`, else a new one.
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// Folder for environments and tokens; made when it is not there.
    #[arg(long, value_name = "FOLDER", default_value = "tooldock_data")]
    pub(super) data_dir: PathBuf,
    /// Ask nobody for a token. For conformance suites; only on this machine.
    #[arg(long)]
    pub(super) anonymous: bool,
}

impl DevArguments {
    /// What it says of settings.
    pub(super) fn flags(&self) -> BTreeMap<String, String> {
        BTreeMap::from([("DATA_DIR".to_owned(), self.data_dir.display().to_string())])
    }
}

#[derive(Debug, Args)]
pub(super) struct StdioArguments {
    /// Folder of tools, as for `dev`. Without it: `<data-dir>/tools`.
    pub(super) folder: Option<PathBuf>,
    /// The namespace to serve; no other one is started.
    #[arg(long, value_name = "NAME")]
    pub(super) namespace: NamespaceName,
    #[command(flatten)]
    pub(super) flags: SettingFlags,
}

#[derive(Debug, Args)]
pub(super) struct ConnectArguments {
    /// Where the server is, such as `http://127.0.0.1:8000/demo/mcp`.
    pub(super) url: String,
    /// File with the token that is sent. Without it: $TOOLDOCK_TOKEN, $TOOLDOCK_TOKEN_FILE, or none.
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<String>,
    #[command(flatten)]
    pub(super) flags: SettingFlags<ConnectTable>,
}
