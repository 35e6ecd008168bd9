//! The load generator: clients over raw HTTP/1.1, in closed and in open loop.

mod client; // a connection and what it does
mod closed; // as fast as answers come
mod latencies; // how long calls took
mod open; // at a steady rate
mod request; // requests as bytes
mod target; // where a load goes
mod wire; // bytes out, one answer in

use std::{io, time::Duration};

use tokio::task::JoinSet;

pub(crate) use self::{
    client::Client,
    closed::closed,
    latencies::Latencies,
    open::open,
    target::{Door, Target},
};

/// Connects so many clients.
pub(crate) async fn connect(target: &Target, count: usize) -> io::Result<Vec<Client>> {
    let mut clients = Vec::with_capacity(count);
    for _ in 0..count {
        clients.push(Client::connect(target).await?);
    }
    Ok(clients)
}

/// Waits for the clients and puts together what they saw.
async fn gather(
    mut running: JoinSet<io::Result<(Client, Vec<Duration>)>>,
) -> io::Result<(Vec<Client>, Latencies)> {
    let (mut clients, mut all) = (Vec::new(), Vec::new());
    while let Some(ended) = running.join_next().await {
        let (client, seen) = ended.map_err(io::Error::other)??;
        clients.push(client);
        all.extend(seen);
    }
    Ok((clients, Latencies::new(all)))
}
