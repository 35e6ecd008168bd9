//! The programs that are measured, all running at once; only one of them is under load at a time.

mod server; // one program
pub(crate) mod usage; // what a process has used

use std::{fs, io, path::Path};

use tokio::process::Command;

pub(crate) use self::server::Server;
use crate::{
    load::{Client, Door, Target},
    options::Options,
};

/// Where the programs are in [`Servers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Bare axum.
    Axum,
    /// ToolDock around closures, in an axum application.
    Closure,
    /// The Rust SDK of the protocol.
    Rmcp,
    /// A Python process that only echoes.
    Python,
    /// The least from HTTP to that process.
    Relay,
    /// `tooldock-core` with a Python namespace.
    Core,
}

/// All programs.
#[derive(Debug)]
pub(crate) struct Servers {
    axum: Server,
    closure: Server,
    rmcp: Server,
    python: Server,
    relay: Server,
    core: Server,
}

impl Servers {
    /// Starts all of them. What axum sends as lists is asked of ToolDock first.
    pub(crate) async fn start(options: &Options) -> io::Result<Self> {
        fs::create_dir_all(&options.folder)?;
        let closure = Server::start("tooldock", closure(options)).await?;
        let mut lists = Vec::new();
        for count in [50, 500] {
            let target = Target {
                address: closure.address,
                path: format!("/tooldock/list{count}/mcp"),
                door: Door::List,
            };
            let body = Client::connect(&target).await?.body().await?;
            let file = options.folder.join(format!("list{count}.json"));
            fs::write(&file, body)?;
            lists.push(file);
        }
        let socket = options.folder.join("echo.sock");
        if socket.exists() {
            fs::remove_file(&socket)?;
        }
        let mut python = Command::new(&options.python);
        python.arg(options.sources.join("python/echo.py")).arg(&socket);
        let python = Server::start("python", python).await?;
        let (mut axum, mut relay) = (program(options, "bench-axum"), program(options, "bench-relay"));
        axum.args(lists);
        relay.arg(&socket);
        Ok(Self {
            axum: Server::start("axum", axum).await?,
            rmcp: Server::start("rmcp", program(options, "bench-rmcp")).await?,
            relay: Server::start("relay", relay).await?,
            core: Server::start("core", core(options)?).await?,
            python,
            closure,
        })
    }

    /// The program at a place.
    pub(crate) fn at(&self, place: Place) -> &Server {
        match place {
            Place::Axum => &self.axum,
            Place::Closure => &self.closure,
            Place::Rmcp => &self.rmcp,
            Place::Python => &self.python,
            Place::Relay => &self.relay,
            Place::Core => &self.core,
        }
    }

    /// The processes that work when the program at `place` is called.
    pub(crate) fn processes(&self, place: Place) -> Vec<(String, u32)> {
        let mut all = self.at(place).processes();
        if place == Place::Relay {
            all.extend(self.python.processes());
        }
        all
    }

    /// Ends all of them.
    pub(crate) async fn end(self) {
        let Self {
            axum,
            closure,
            rmcp,
            python,
            relay,
            core,
        } = self;
        for server in [core, relay, closure, axum, rmcp, python] {
            server.end().await;
        }
    }
}

/// ToolDock around closures.
pub(crate) fn closure(options: &Options) -> Command {
    program(options, "bench-tooldock")
}

fn program(options: &Options, name: &str) -> Command {
    Command::new(options.programs.join(name))
}

/// The core over one Python namespace. More calls at once than the default, so that 256 clients are not sent away.
fn core(options: &Options) -> io::Result<Command> {
    let data = options.folder.join("data");
    fs::create_dir_all(&data)?;
    fs::write(
        data.join("config.yaml"),
        "namespaces:\n  echo: { max_concurrency: 256 }\n",
    )?;
    let token = data.join("token");
    write_private(&token, tooldock_bench::TOKEN)?;
    let mut command = program(options, "tooldock-core");
    command
        .arg("dev")
        .arg(options.sources.join("tools"))
        .args(["--port", "0", "--data-dir"])
        .arg(&data)
        .arg("--token-file")
        .arg(&token)
        // As in the image: see docs/PERFORMANCE.md, memory.
        .env("MALLOC_ARENA_MAX", "1")
        .env("LOG_LEVEL", "warn");
    Ok(command)
}

/// Writes a file that only its owner can read.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))
}
