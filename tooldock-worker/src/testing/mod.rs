//! For tests: a worker whose frames a test writes.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split,
    },
    task::JoinHandle,
    time::timeout,
};
use tokio_util::task::TaskTracker;
use tooldock_engine::NamespaceName;

pub use crate::rpc::{Connection, End};

/// How long a test waits for a frame.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes that may be under way in one direction.
const PIPE: usize = 64 << 10;

/// The worker's end of a connection, played by a test. Dropping it closes the channel.
///
/// ```
/// use tooldock_engine::{CallContext, Caller, EngineRequest, RawJson};
/// use tooldock_worker::testing::FakeWorker;
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let (connection, mut worker, _end) = FakeWorker::connect();
/// let cx = CallContext::new(Caller::local(), "fake".parse()?);
/// let EngineRequest::CallTool(call) = EngineRequest::call_tool("hi".parse()?, RawJson::empty_object()) else { unreachable!() };
/// let play = async {
///     let frame = worker.next().await.expect("a frame");
///     worker.answer(&frame, r#"{"content":[],"isError":false}"#).await;
/// };
/// let (output, ()) = tokio::join!(connection.call(&cx, &call), play);
/// assert_eq!(output?.content, RawJson::empty_array());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct FakeWorker {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

impl FakeWorker {
    /// A connection to a fake worker; the handle tells why the connection ended.
    #[must_use]
    pub fn connect() -> (Connection, Self, JoinHandle<End>) {
        let (ours, theirs) = duplex(PIPE);
        let (reader, writer) = split(ours);
        let namespace: NamespaceName = "fake".parse().expect("a plain name");
        let (connection, driver, _ready) = Connection::open(&namespace, reader, writer);
        let end = TaskTracker::new().spawn(driver.run());
        let (reader, writer) = split(theirs);
        (
            connection,
            Self {
                reader: BufReader::new(reader),
                writer,
            },
            end,
        )
    }

    /// The next frame from the supervisor; `None` when there will be no more, or none came for 10 s, so that a test fails
    /// instead of hanging.
    ///
    /// # Cancel safety
    /// Not safe: half a frame may be lost.
    pub async fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.reader.read_line(&mut line)).await;
        read.ok()?.ok().filter(|count| *count > 0)?;
        serde_json::from_str(&line).ok()
    }

    /// Sends bytes as they are.
    ///
    /// # Cancel safety
    /// Not safe: half of the bytes may have been sent.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        // A supervisor that is gone reads nothing more; its end is what such a test looks at.
        self.writer.write_all(bytes.as_ref()).await.ok();
    }

    /// Answers the request in `frame` with `result`, which is JSON.
    ///
    /// # Cancel safety
    /// Not safe: half of the bytes may have been sent.
    pub async fn answer(&mut self, frame: &Value, result: &str) {
        self.send(format!(
            "{{\"id\":{},\"ok\":true,\"result\":{result}}}\n",
            frame["id"]
        ))
        .await;
    }

    /// Answers the request in `frame` with an error.
    ///
    /// # Cancel safety
    /// Not safe: half of the bytes may have been sent.
    pub async fn refuse(&mut self, frame: &Value, code: &str, message: &str) {
        let answer = json!({"id": frame["id"], "ok": false, "error": {"code": code, "message": message}});
        self.send(format!("{answer}\n")).await;
    }
}
