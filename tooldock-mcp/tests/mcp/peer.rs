//! A client that writes and reads lines, whatever is at the other end.

use std::{future::Future, io};

use serde_json::{Value, json};
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf,
        WriteHalf, duplex, split,
    },
    task::JoinSet,
};
use tooldock_judge::Judge;
use tooldock_mcp::{
    ConnectionInfo,
    io::{IoSettings, serve},
    upstream::{Upstream, bridge},
};

use crate::scene::{HANDSHAKE, Scene, caller, offer, request, soon};

/// The client's end of a conversation. What it reads is judged by the schema of the revision that is spoken.
pub(crate) struct Peer {
    reader: BufReader<ReadHalf<DuplexStream>>,
    pub(crate) writer: WriteHalf<DuplexStream>,
    judge: Judge,
    pub(crate) served: JoinSet<io::Result<()>>,
}

impl Peer {
    /// A client of a server.
    pub(crate) fn of(scene: &Scene) -> Self {
        Self::with(scene, IoSettings::default())
    }

    pub(crate) fn with(scene: &Scene, settings: IoSettings) -> Self {
        let info = ConnectionInfo::new(caller("ann"), "demo".parse().unwrap());
        let connection = scene.server.connect(info);
        Self::facing(|reader, writer| serve(connection, reader, writer, settings))
    }

    /// A client of a bridge to another server.
    pub(crate) fn across(upstream: Upstream) -> Self {
        Self::facing(|reader, writer| bridge(upstream, reader, writer, IoSettings::default()))
    }

    fn facing<F>(serve: impl FnOnce(ReadHalf<DuplexStream>, WriteHalf<DuplexStream>) -> F) -> Self
    where
        F: Future<Output = io::Result<()>> + Send + 'static,
    {
        let (near, far) = duplex(1024);
        let (reader, writer) = split(far);
        let mut served = JoinSet::new();
        served.spawn(serve(reader, writer));
        let (reader, writer) = split(near);
        Self {
            reader: BufReader::new(reader),
            writer,
            judge: Judge::default(),
            served,
        }
    }

    pub(crate) async fn write(&mut self, text: impl ToString) {
        let text = text.to_string();
        self.judge.note(&serde_json::from_str(&text).unwrap_or_default());
        let line = format!("{text}\n");
        self.writer.write_all(line.as_bytes()).await.unwrap();
    }

    /// The next line, whole.
    pub(crate) async fn read(&mut self) -> Value {
        let mut line = String::new();
        soon(self.reader.read_line(&mut line)).await.unwrap();
        let said = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: `{line}`"));
        self.judge.check(&said);
        said
    }

    pub(crate) async fn ask(&mut self, id: i64, method: &str, params: Value) -> Value {
        self.write(request(id, method, params)).await;
        self.read().await
    }

    /// Opens a session.
    pub(crate) async fn open(&mut self) {
        let opened = self.ask(0, "initialize", offer(HANDSHAKE)).await;
        assert_eq!(opened["result"]["protocolVersion"], HANDSHAKE, "{opened}");
        self.write(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
    }

    /// Closes the client's end and gives what was still said.
    pub(crate) async fn close(mut self) -> String {
        self.writer.shutdown().await.unwrap();
        let mut rest = String::new();
        self.reader.read_to_string(&mut rest).await.unwrap();
        self.served.join_next().await.unwrap().unwrap().unwrap();
        rest
    }
}
