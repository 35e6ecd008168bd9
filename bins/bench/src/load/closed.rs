//! Closed loop: every client calls again as soon as it has its answer. Tells how much a server can do.

use std::{
    io,
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use super::{Client, Latencies};

/// Lets `clients` call for as long as `lasting`, and gives them back with what they saw.
pub(crate) async fn closed(clients: Vec<Client>, lasting: Duration) -> io::Result<(Vec<Client>, Latencies)> {
    let end = Instant::now() + lasting;
    let mut running = JoinSet::new();
    for mut client in clients {
        running.spawn(async move {
            let mut seen = Vec::with_capacity(1 << 14);
            let mut begin = Instant::now();
            while begin < end {
                client.call().await?;
                let now = Instant::now();
                seen.push(now - begin);
                begin = now;
            }
            Ok::<_, io::Error>((client, seen))
        });
    }
    super::gather(running).await
}
