//! The load generator: clients over raw HTTP/1.1, in closed and in open loop.

mod client; // a connection and what it does
mod closed; // as fast as answers come
mod latencies; // how long calls took
mod open; // at a steady rate
mod request; // requests as bytes
mod target; // where a load goes
mod wire; // bytes out, one answer in

use std::{io, time::Duration};

use tokio::{task::JoinSet, time::timeout};

pub(crate) use self::{
    client::Client,
    closed::closed,
    latencies::Latencies,
    open::open,
    target::{Door, Target},
};

/// How long the clients may take to end, however long they call.
const PATIENCE: Duration = Duration::from_secs(60);

/// Connects so many clients.
pub(crate) async fn connect(target: &Target, count: usize) -> io::Result<Vec<Client>> {
    let mut clients = Vec::with_capacity(count);
    for _ in 0..count {
        clients.push(Client::connect(target).await?);
    }
    Ok(clients)
}

/// Waits for the clients, not for ever, and puts together what they saw.
async fn gather(
    mut running: JoinSet<io::Result<(Client, Vec<Duration>)>>,
) -> io::Result<(Vec<Client>, Latencies)> {
    let (mut clients, mut all) = (Vec::new(), Vec::new());
    let silent = |_| io::Error::other(format!("a call was not answered within {} s", PATIENCE.as_secs()));
    while let Some(ended) = timeout(PATIENCE, running.join_next()).await.map_err(silent)? {
        let (client, seen) = ended.map_err(io::Error::other)??;
        clients.push(client);
        all.extend(seen);
    }
    Ok((clients, Latencies::new(all)))
}
