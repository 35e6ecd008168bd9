//! Open loop: calls are due at a steady rate, whether or not earlier ones were answered. A latency counts from when its
//! call was due, so that a server that stalls is charged for all who would have waited (no coordinated omission).

use std::{
    io, thread,
    time::{Duration, Instant},
};

use tokio::{sync::mpsc, task::JoinSet};

use super::{Client, Latencies};

/// Makes `rate` calls a second for as long as `lasting`, spread over `clients` in turn.
pub(crate) async fn open(
    clients: Vec<Client>,
    rate: u32,
    lasting: Duration,
) -> io::Result<(Vec<Client>, Latencies)> {
    let calls = (f64::from(rate) * lasting.as_secs_f64()) as usize;
    let room = calls / clients.len() + 1;
    let mut running = JoinSet::new();
    let mut queues = Vec::new();
    for mut client in clients {
        let (queue, mut due) = mpsc::channel::<Instant>(room);
        queues.push(queue);
        running.spawn(async move {
            let mut seen = Vec::with_capacity(room);
            while let Some(due) = due.recv().await {
                client.call().await?;
                seen.push(due.elapsed());
            }
            Ok::<_, io::Error>((client, seen))
        });
    }
    // A thread of its own: the timer of the runtime is a millisecond wide.
    let pacer = thread::spawn(move || pace(&queues, calls, Duration::from_secs(1) / rate));
    let gathered = super::gather(running).await;
    pacer.join().map_err(|_| io::Error::other("the pacer broke"))?;
    gathered
}

/// Hands out each call when it is due. The queues have room for all, so that nothing holds it up.
fn pace(queues: &[mpsc::Sender<Instant>], calls: usize, apart: Duration) {
    let mut due = Instant::now();
    for queue in queues.iter().cycle().take(calls) {
        due += apart;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if queue.try_send(due).is_err() {
            return;
        }
    }
}
