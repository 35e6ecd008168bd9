//! The ceiling for Python tools: the least that takes a call over HTTP to a Python process and back.
//! `bench-relay SOCKET` sends one line of JSON per call to the Unix socket of `echo.py`.

use std::{
    collections::HashMap,
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header::CONTENT_TYPE},
    response::IntoResponse,
    routing::post,
};
use bytes::{Bytes, BytesMut};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{
        UnixStream,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::{mpsc, oneshot},
};

/// Lines that may wait for the socket.
const QUEUE: usize = 1024;

/// Who waits for which answer.
type Waiting = Arc<Mutex<HashMap<u64, oneshot::Sender<Box<RawValue>>>>>;

#[tokio::main]
async fn main() -> io::Result<()> {
    let path = std::env::args()
        .nth(1)
        .ok_or_else(|| io::Error::other("usage: bench-relay SOCKET"))?;
    let (reader, writer) = UnixStream::connect(path).await?.into_split();
    let (lines, queue) = mpsc::channel(QUEUE);
    let relay = Relay {
        lines,
        waiting: Waiting::default(),
        next: Arc::default(),
    };
    let waiting = relay.waiting.clone();
    let app = Router::new().route("/echo", post(call)).with_state(relay);
    tokio::select! {
        served = tooldock_bench::serve(app) => served,
        written = write(writer, queue) => written,
        read = read(reader, waiting) => read,
    }
}

/// The way to the Python process.
#[derive(Clone)]
struct Relay {
    lines: mpsc::Sender<String>,
    waiting: Waiting,
    next: Arc<AtomicU64>,
}

/// The parts of a request that are needed.
#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    arguments: &'a RawValue,
}

/// An answer line.
#[derive(Deserialize)]
struct Answer {
    id: u64,
    result: Box<RawValue>,
}

async fn call(State(relay): State<Relay>, body: Bytes) -> Result<impl IntoResponse, StatusCode> {
    let call: Call<'_> = serde_json::from_slice(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    let number = relay.next.fetch_add(1, Ordering::Relaxed);
    let (sender, receiver) = oneshot::channel();
    relay
        .waiting
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(number, sender);
    let line = format!("{{\"id\":{number},\"arguments\":{}}}\n", call.params.arguments);
    relay
        .lines
        .send(line)
        .await
        .map_err(|_| StatusCode::BAD_GATEWAY)?;
    let result = receiver.await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    let answer = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, call.id);
    Ok(([(CONTENT_TYPE, "application/json")], answer))
}

/// Writes what is queued, as much as there is in one go.
async fn write(mut socket: OwnedWriteHalf, mut queue: mpsc::Receiver<String>) -> io::Result<()> {
    let mut out = BytesMut::new();
    while let Some(line) = queue.recv().await {
        out.extend_from_slice(line.as_bytes());
        while let Ok(line) = queue.try_recv() {
            out.extend_from_slice(line.as_bytes());
        }
        socket.write_all_buf(&mut out).await?;
    }
    Ok(())
}

/// Hands each answer to whoever waits for it.
async fn read(socket: OwnedReadHalf, waiting: Waiting) -> io::Result<()> {
    let mut socket = BufReader::with_capacity(64 << 10, socket);
    let mut line = Vec::new();
    while socket.read_until(b'\n', &mut line).await? > 0 {
        let answer: Answer = serde_json::from_slice(&line)?;
        let sender = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&answer.id);
        if let Some(sender) = sender {
            drop(sender.send(answer.result));
        }
        line.clear();
    }
    Ok(())
}
