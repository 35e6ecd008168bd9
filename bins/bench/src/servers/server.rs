//! One measured program: started, found by the line it prints, ended with this program.

use std::{io, net::SocketAddr, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, ChildStdin, Command},
    task::JoinSet,
    time::timeout,
};

use super::usage;

/// How long a start may take; the first one of the core builds a Python environment.
const START: Duration = Duration::from_secs(120);

/// A program that serves.
#[derive(Debug)]
pub(crate) struct Server {
    name: &'static str,
    /// Where it listens.
    pub(crate) address: SocketAddr,
    child: Child,
    /// Programs of ours end when this is closed.
    _stdin: Option<ChildStdin>,
    /// Reads what the program goes on to print.
    _output: JoinSet<()>,
}

impl Server {
    /// Starts `command` and waits for its line `ready http://…`.
    pub(crate) async fn start(name: &'static str, mut command: Command) -> io::Result<Self> {
        let failed = |what: String| io::Error::other(format!("`{name}` did not start: {what}"));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let mut lines = BufReader::new(stdout).lines();
        let ready = async {
            while let Some(line) = lines.next_line().await? {
                if let Some(address) = line.strip_prefix("ready http://") {
                    return address.trim().parse().map_err(io::Error::other);
                }
            }
            Err(io::Error::other("it ended before it was ready"))
        };
        let address = match timeout(START, ready).await {
            Ok(found) => found.map_err(|error| failed(error.to_string()))?,
            Err(_) => return Err(failed(format!("it was not ready within {} s", START.as_secs()))),
        };
        let mut output = JoinSet::new();
        output.spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self {
            name,
            address,
            child,
            _stdin: stdin,
            _output: output,
        })
    }

    /// Its processes, each with a name: the program, the workers below it, and the wardens in between.
    pub(crate) fn processes(&self) -> Vec<(String, u32)> {
        let Some(pid) = self.child.id() else {
            return Vec::new();
        };
        let own = [(self.name.to_owned(), pid)];
        let below = usage::children(pid).into_iter().flat_map(|child| {
            let workers = usage::children(child);
            let role = if workers.is_empty() { "worker" } else { "warden" };
            let workers = workers.into_iter().map(|pid| ("worker", pid));
            [(role, child)].into_iter().chain(workers)
        });
        let named = below.map(|(role, pid)| (format!("{} {role}", self.name), pid));
        own.into_iter().chain(named).collect()
    }

    /// Memory of the program itself, in MiB.
    pub(crate) fn memory(&self) -> io::Result<f64> {
        usage::memory(self.child.id().unwrap_or_default())
    }

    /// Asks it to end, and makes it where it does not.
    pub(crate) async fn end(mut self) {
        drop(self._stdin.take());
        if let Some(pid) = self.child.id().and_then(|pid| i32::try_from(pid).ok()) {
            let pid = rustix::process::Pid::from_raw(pid);
            pid.map(|pid| rustix::process::kill_process(pid, rustix::process::Signal::TERM));
        }
        if timeout(Duration::from_secs(10), self.child.wait()).await.is_err() {
            drop(self.child.kill().await);
        }
    }
}
