//! One row for a moment: load on one program, and what its processes used meanwhile.

use std::{
    io,
    time::{Duration, Instant},
};

use crate::{
    load::{self, Latencies, Target},
    rows::Row,
    servers::{Servers, usage},
};

/// How long clients call before the clock runs.
const WARM_UP: Duration = Duration::from_millis(150);

/// What was seen of a row in one round.
#[derive(Debug)]
pub(crate) struct Sample {
    /// Answered calls a second.
    pub(crate) rate: f64,
    /// How long calls took.
    pub(crate) latencies: Latencies,
    /// Processor seconds for 10,000 calls, of each process.
    pub(crate) cpu: Vec<(String, f64)>,
}

impl Sample {
    /// Processor seconds for 10,000 calls, of all processes together.
    pub(crate) fn cpu_of_all(&self) -> f64 {
        self.cpu.iter().map(|(_, seconds)| seconds).sum()
    }
}

/// Puts load on the program of `row` for as long as `lasting`.
pub(crate) async fn measure(servers: &Servers, row: &Row, lasting: Duration) -> io::Result<Sample> {
    let told = |error: io::Error| io::Error::other(format!("`{}`: {error}", row.name));
    let target = Target {
        address: servers.at(row.place).address,
        path: row.path.to_owned(),
        door: row.door,
    };
    let clients = load::connect(&target, row.clients).await.map_err(told)?;
    let (clients, _) = load::closed(clients, WARM_UP).await.map_err(told)?;
    let processes = servers.processes(row.place);
    let before = used(&processes)?;
    let begin = Instant::now();
    let ended = match row.rate {
        Some(rate) => load::open(clients, rate, lasting).await,
        None => load::closed(clients, lasting).await,
    };
    let (_clients, latencies) = ended.map_err(told)?;
    let seconds = begin.elapsed().as_secs_f64();
    let after = used(&processes)?;
    let calls = latencies.count() as f64;
    let cpu = processes.into_iter().zip(before.iter().zip(after));
    Ok(Sample {
        rate: calls / seconds,
        latencies,
        cpu: cpu
            .map(|((name, _), (before, after))| (name, (after - before) / calls * 1e4))
            .collect(),
    })
}

fn used(processes: &[(String, u32)]) -> io::Result<Vec<f64>> {
    processes.iter().map(|(_, pid)| usage::cpu(*pid)).collect()
}
