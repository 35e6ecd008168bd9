//! The server process as its parent sees it.

use std::{fs, process::Stdio, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

use crate::{Outcome, client::Client};

/// A running server; it ends with this value.
pub(crate) struct Subject {
    child: Child,
    /// Where it listens.
    pub(crate) address: String,
}

impl Subject {
    /// Starts this program again as the server.
    pub(crate) async fn start() -> Outcome<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = child.stdout.take().ok_or("the server has no standard output")?;
        let line = BufReader::new(stdout).lines().next_line().await?;
        let address = line.ok_or("the server ended before it listened")?;
        Ok(Self { child, address })
    }

    /// Bytes of memory that are its own.
    pub(crate) fn memory(&self) -> Outcome<u64> {
        let id = self.child.id().ok_or("the server has ended")?;
        let status = fs::read_to_string(format!("/proc/{id}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes: u64 = line
            .and_then(|line| line.split_whitespace().next())
            .ok_or("the server says nothing of its memory")?
            .parse()?;
        Ok(kibibytes << 10)
    }

    /// Processor time that it has used.
    pub(crate) fn processor(&self) -> Outcome<Duration> {
        let id = self.child.id().ok_or("the server has ended")?;
        let stat = fs::read_to_string(format!("/proc/{id}/stat"))?;
        // The name before the fields may hold anything; the two of them are in hundredths of a second.
        let (_, fields) = stat
            .rsplit_once(") ")
            .ok_or("the server says nothing of its time")?;
        let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
        let ticks: u64 = ticks.collect::<Result<Vec<_>, _>>()?.iter().sum();
        Ok(Duration::from_millis(ticks * 10))
    }

    /// How many sessions and tasks it counts.
    pub(crate) async fn counts(&self) -> Outcome<(u64, u64)> {
        let answer = Client::connect(&self.address)
            .await?
            .send("GET", "/counts", "", "")
            .await?;
        let counts: Value = serde_json::from_str(&answer.body)?;
        let read = |name: &str| counts[name].as_u64().ok_or(format!("no `{name}` in `{counts}`"));
        Ok((read("sessions")?, read("tasks")?))
    }
}
