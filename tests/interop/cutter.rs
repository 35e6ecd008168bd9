//! A way to the gateway that breaks once, in the middle of an answer, and tells whether the client came back for the rest.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

/// What the event holds after which the connection is cut.
const LAST_WORDS: &[u8] = b"on its way";

/// A port in front of a gateway. All connections end when it is dropped.
#[derive(Debug)]
pub(crate) struct Cutter {
    address: SocketAddr,
    story: Arc<Story>,
    _runtime: Runtime,
}

/// What happened to the connections of one client.
#[derive(Debug, Default)]
struct Story {
    cut: AtomicBool,
    resumed: AtomicBool,
}

impl Cutter {
    /// Stands in front of the gateway at `base_url`, such as `http://127.0.0.1:4711`.
    pub(crate) fn start(base_url: &str) -> io::Result<Self> {
        let target = base_url.trim_start_matches("http://").to_owned();
        let runtime = Runtime::new()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let (address, story) = (listener.local_addr()?, Arc::<Story>::default());
        runtime.spawn(pass_all(listener, target, Arc::clone(&story)));
        Ok(Self {
            address,
            story,
            _runtime: runtime,
        })
    }

    /// Where clients connect to, such as `http://127.0.0.1:4711`.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Tells what is missing, unless a connection was cut and the client has named its last event since.
    pub(crate) fn story(&self) -> Result<(), String> {
        let told = |part: &AtomicBool| part.load(Ordering::SeqCst);
        match (told(&self.story.cut), told(&self.story.resumed)) {
            (true, true) => Ok(()),
            (true, false) => Err("it has its answer and did not name its last event".to_owned()),
            (false, _) => Err("it has its answer, and nothing was cut".to_owned()),
        }
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
    let (from_client, to_client) = client.into_split();
    let (from_gateway, to_gateway) = TcpStream::connect(target).await?.into_split();
    tokio::select! {
        ended = pass_up(from_client, to_gateway, &story) => ended,
        ended = pass_down(from_gateway, to_client, &story) => ended,
    }
}

/// What the client says.
async fn pass_up(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, story: &Story) -> io::Result<()> {
    let mut said = Vec::new();
    loop {
        let begun = said.len();
        if from.read_buf(&mut said).await? == 0 {
            return Ok(());
        }
        if story.cut.load(Ordering::SeqCst) && find(&said.to_ascii_lowercase(), b"last-event-id:").is_some() {
            story.resumed.store(true, Ordering::SeqCst);
        }
        to.write_all(&said[begun..]).await?;
    }
}

/// What the gateway says, up to the end of the event that has the last words in it, the first time.
async fn pass_down(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, story: &Story) -> io::Result<()> {
    let mut said = Vec::new();
    loop {
        let begun = said.len();
        if from.read_buf(&mut said).await? == 0 {
            return Ok(());
        }
        match end_of_last_words(&said) {
            Some(end) if !story.cut.swap(true, Ordering::SeqCst) => {
                return to.write_all(&said[begun..end]).await;
            }
            _ => to.write_all(&said[begun..]).await?,
        }
    }
}

/// Where the event with the last words ends, once it is there.
fn end_of_last_words(said: &[u8]) -> Option<usize> {
    let words = find(said, LAST_WORDS)?;
    Some(words + find(&said[words..], b"\n\n")? + 2)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}
