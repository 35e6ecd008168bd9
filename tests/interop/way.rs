//! A way to the gateway that keeps what goes over it, and judges it in the end. It may break once, in the middle of an answer.

use std::io;
use std::iter;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::wire::{find, judge, read_exchanges};

/// What the event holds after which the connection is cut.
const LAST_WORDS: &[u8] = b"on its way";

/// A port in front of a gateway. When it is dropped all connections end, and every message of the gateway has to be what the published
/// schema of its revision says.
#[derive(Debug)]
pub(crate) struct Way {
    address: SocketAddr,
    story: Arc<Story>,
    runtime: Option<Runtime>,
}

/// What happened to the connections.
#[derive(Debug, Default)]
struct Story {
    /// Whether one is still to be cut.
    breaks: AtomicBool,
    connections: Mutex<Vec<Arc<Connection>>>,
    /// How much had been asked on each of them when one was cut.
    cut: Mutex<Option<Vec<usize>>>,
}

/// What went over one connection.
#[derive(Debug, Default)]
struct Connection {
    asked: Mutex<Vec<u8>>,
    said: Mutex<Vec<u8>>,
}

impl Story {
    /// Notes that a connection is cut now.
    fn note_cut(&self) {
        let connections = self.connections.lock().unwrap();
        let asked = connections.iter().map(|one| one.asked.lock().unwrap().len());
        *self.cut.lock().unwrap() = Some(asked.collect());
    }
}

impl Way {
    /// A way that holds, to the gateway at `base_url`, such as `http://127.0.0.1:4711`.
    pub(crate) fn to(base_url: &str) -> Self {
        Self::start(base_url, false)
    }

    /// A way that breaks once, after the event with the last words.
    pub(crate) fn that_breaks(base_url: &str) -> Self {
        Self::start(base_url, true)
    }

    fn start(base_url: &str, breaks: bool) -> Self {
        let target = base_url.trim_start_matches("http://").to_owned();
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let (address, story) = (listener.local_addr().unwrap(), Arc::<Story>::default());
        story.breaks.store(breaks, Ordering::SeqCst);
        runtime.spawn(pass_all(listener, target, Arc::clone(&story)));
        Self {
            address,
            story,
            runtime: Some(runtime),
        }
    }

    /// Where clients connect to instead.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Tells what is missing, unless a connection was cut and the client has named its last event since.
    pub(crate) fn was_mended(&self) -> Result<(), String> {
        let Some(before) = self.story.cut.lock().unwrap().clone() else {
            return Err("it has its answer, and nothing was cut".to_owned());
        };
        let connections = self.story.connections.lock().unwrap();
        let names_event = |(one, before): (&Arc<Connection>, usize)| {
            let asked = one.asked.lock().unwrap()[before..].to_ascii_lowercase();
            find(&asked, b"last-event-id:").is_some()
        };
        let before = before.into_iter().chain(iter::repeat(0));
        let mended = connections.iter().zip(before).any(names_event);
        let told = "it has its answer and did not name its last event";
        mended.then_some(()).ok_or_else(|| told.to_owned())
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        drop(self.runtime.take());
        if std::thread::panicking() {
            return;
        }
        let connections = self.story.connections.lock().unwrap();
        let exchanges = connections
            .iter()
            .flat_map(|one| read_exchanges(&one.asked.lock().unwrap(), &one.said.lock().unwrap()))
            .collect();
        assert!(judge(exchanges) > 0, "nothing was said on the way");
    }
}

/// Accepts for as long as the runtime lives.
async fn pass_all(listener: TcpListener, target: String, story: Arc<Story>) {
    let mut ways = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        ways.spawn(pass(client, target.clone(), Arc::clone(&story)));
        while ways.try_join_next().is_some() {}
    }
}

/// One connection; it ends at both sides when it ends at one, or is cut.
async fn pass(client: TcpStream, target: String, story: Arc<Story>) -> io::Result<()> {
    let connection = Arc::<Connection>::default();
    story.connections.lock().unwrap().push(Arc::clone(&connection));
    let (from_client, to_client) = client.into_split();
    let (from_gateway, to_gateway) = TcpStream::connect(target).await?.into_split();
    tokio::select! {
        ended = pass_up(from_client, to_gateway, &connection) => ended,
        ended = pass_down(from_gateway, to_client, &connection, &story) => ended,
    }
}

/// What the client says.
async fn pass_up(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, connection: &Connection) -> io::Result<()> {
    let mut part = Vec::new();
    while from.read_buf(&mut part).await? > 0 {
        connection.asked.lock().unwrap().extend(&part);
        to.write_all(&part).await?;
        part.clear();
    }
    Ok(())
}

/// What the gateway says, up to the end of the event that has the last words in it if the way breaks there.
async fn pass_down(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    connection: &Connection,
    story: &Story,
) -> io::Result<()> {
    let mut part = Vec::new();
    while from.read_buf(&mut part).await? > 0 {
        let end = {
            let mut said = connection.said.lock().unwrap();
            said.extend(&part);
            end_of_last_words(&said).and_then(|end| end.checked_sub(said.len() - part.len()))
        };
        if let Some(end) = end.filter(|_| story.breaks.swap(false, Ordering::SeqCst)) {
            story.note_cut();
            return to.write_all(&part[..end]).await;
        }
        to.write_all(&part).await?;
        part.clear();
    }
    Ok(())
}

/// Where the event with the last words ends, once it is there.
fn end_of_last_words(said: &[u8]) -> Option<usize> {
    let words = find(said, LAST_WORDS)?;
    Some(words + find(&said[words..], b"\n\n")? + 2)
}
