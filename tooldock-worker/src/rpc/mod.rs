//! The worker protocol: one multiplexed connection over any byte stream.
//!
//! A call costs one lock to queue its frame, one to register it and one to be answered; no task is started for it, and
//! frames that are ready at the same time travel in one write.

mod driver;
mod end;
mod hub;
mod id;
mod incoming;
mod lines;
mod notes;
mod offers;
mod outbox;
mod outgoing;
mod pending;

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{broadcast, oneshot, watch},
};
use tokio_util::task::TaskTracker;
use tooldock_engine::{
    CallContext, Change, EngineError, ErrorKind, NamespaceName, RawJson, ToolOutput, context::Steps,
    error::Result, json::Outline, request::CallTool,
};

pub use self::end::End;
pub(crate) use self::offers::Address;
pub(crate) use self::{driver::Driver, outgoing::Start};
use self::{hub::Hub, id::RequestId, lines::Lines};
use crate::output::{LogTail, OutputLog};

/// The version of the protocol that is spoken here.
pub(crate) const PROTOCOL: u32 = 1;
/// Bytes that a frame has beside its arguments, at most.
const ENVELOPE: usize = 64 << 10;

/// One connection to a worker. Clones are the same connection.
#[derive(Debug, Clone)]
pub struct Connection(Arc<Hub>);

impl Connection {
    /// A connection over `reader` and `writer`, with the driver that moves its bytes and the worker's `ready` frame to come.
    pub(crate) fn open<R, W>(
        namespace: &NamespaceName,
        reader: R,
        writer: W,
    ) -> (Self, Driver<R, W>, oneshot::Receiver<RawJson>)
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        let output = OutputLog::new(namespace.clone(), LogTail::default());
        Self::with_output(output, broadcast::Sender::new(1), reader, writer)
    }

    pub(crate) fn with_output<R, W>(
        output: OutputLog,
        changes: broadcast::Sender<Change>,
        reader: R,
        writer: W,
    ) -> (Self, Driver<R, W>, oneshot::Receiver<RawJson>)
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        let (ready, is_ready) = oneshot::channel();
        let hub = Arc::new(Hub {
            ids: id::RequestIds::default(),
            pending: pending::Pending::default(),
            outbox: Arc::default(),
            ready: Mutex::new(Some(ready)),
            strays: 0.into(),
            abandoned: watch::Sender::new(0),
            asks: TaskTracker::new(),
            changes,
            output,
        });
        let driver = Driver {
            lines: Lines::new(reader),
            writer,
            hub: hub.clone(),
        };
        (Self(hub), driver, is_ready)
    }

    /// Sends the first frame; the worker answers `ready`.
    pub(crate) fn start(&self, start: &Start<'_>) {
        self.0.outbox.push(|out| start.write(out));
    }

    /// Runs a tool.
    ///
    /// # Errors
    /// What the worker answers; [`Crashed`](ErrorKind::Crashed) when it ends before, [`Unavailable`](ErrorKind::Unavailable)
    /// when it has ended, [`Cancelled`](ErrorKind::Cancelled) when the caller cancels.
    ///
    /// # Cancel safety
    /// Dropping the future tells the worker to cancel the call and withdraws its questions.
    pub async fn call(&self, cx: &CallContext, call: &CallTool) -> Result<ToolOutput> {
        self.call_within(cx, call, None).await
    }

    /// A [`call`](Self::call) that gateways give up after `limit`; [`is_deaf`](Self::is_deaf) needs to know.
    pub(crate) async fn call_within(
        &self,
        cx: &CallContext,
        call: &CallTool,
        limit: Option<Duration>,
    ) -> Result<ToolOutput> {
        let write = |out: &mut Vec<u8>, id| outgoing::write_call(out, id, call, cx);
        let answer = self.exchange(cx, call.arguments.len(), limit, write).await?;
        incoming::read_output(&answer)
    }

    /// Sends a request that a client waits for, of about `size` bytes, and waits for its answer.
    async fn exchange(
        &self,
        cx: &CallContext,
        size: usize,
        limit: Option<Duration>,
        write: impl Fn(&mut Vec<u8>, RequestId),
    ) -> Result<Outline> {
        if size > outgoing::MAX_LINE - ENVELOPE {
            let text = "the arguments are larger than 16 MiB, the most that fits into a frame to a worker";
            return Err(EngineError::new(ErrorKind::RequestTooLarge, text));
        }
        let open = Open {
            hub: &self.0,
            id: self.0.ids.next(),
        };
        let answer = self.0.pending.add(open.id, Some(cx.clone()), limit)?;
        let _step = Steps::begin(cx, "worker");
        let sent = async {
            self.0.outbox.send(|out: &mut Vec<u8>| write(out, open.id)).await;
            std::future::pending::<Infallible>().await
        };
        tokio::select! {
            biased;
            answer = answer => answer.unwrap_or_else(|_| Err(gone())),
            () = cx.cancelled().cancelled() => Err(EngineError::new(ErrorKind::Cancelled, "the call was cancelled")),
            never = sent => match never {},
        }
    }

    /// Asks whether the worker is alive.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    ///
    /// # Cancel safety
    /// Safe: a late answer is ignored.
    pub async fn ping(&self) -> Result<()> {
        self.request("ping", "").await.map(drop)
    }

    /// Tells the worker to take no new call and to leave once the running ones have ended, or after `grace`.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    ///
    /// # Cancel safety
    /// The worker leaves all the same.
    pub async fn shutdown(&self, grace: Duration) -> Result<()> {
        let members = format!(r#""grace_ms":{}"#, grace.as_millis());
        self.request("shutdown", &members).await.map(drop)
    }

    async fn request(&self, op: &str, members: &str) -> Result<Outline> {
        let open = Open {
            hub: &self.0,
            id: self.0.ids.next(),
        };
        let answer = self.0.pending.add(open.id, None, None)?;
        self.0
            .outbox
            .push(|out| outgoing::write_request(out, open.id, op, members));
        answer.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Answers every open request with an error of `kind` and refuses further ones as [`Unavailable`](ErrorKind::Unavailable).
    /// Only the text of the first call is kept.
    pub fn end(&self, kind: ErrorKind, why: &str) {
        self.0.end(kind, why);
    }

    /// Whether the worker has taken no notice of a cancellation for `grace` after the time of that call was up.
    pub(crate) fn is_deaf(&self, grace: Duration) -> bool {
        self.0.pending.is_overdue(grace)
    }

    /// How many requests wait for an answer.
    #[must_use]
    pub fn open_requests(&self) -> usize {
        self.0.pending.len()
    }

    /// Frames that belonged to nothing so far: late answers, made-up ids, unknown operations.
    #[must_use]
    pub fn strays(&self) -> u64 {
        self.0.strays.load(Ordering::Relaxed)
    }

    /// Threads of cancelled synchronous calls that still run, as the worker last said.
    #[must_use]
    pub fn abandoned_threads(&self) -> usize {
        *self.0.abandoned.borrow()
    }

    /// Waits until half of so many threads, or more, run for calls that nobody waits for, and tells how many they are.
    pub(crate) async fn abandoned_half_of(&self, threads: usize) -> usize {
        let mut abandoned = self.0.abandoned.subscribe();
        let half = abandoned.wait_for(|count| *count > 0 && count.saturating_mul(2) >= threads);
        half.await.map_or(0, |count| *count)
    }
}

fn gone() -> EngineError {
    EngineError::new(ErrorKind::Crashed, "the worker's connection is gone")
}

/// A request that is open; dropped before its answer it cancels the work.
struct Open<'a> {
    hub: &'a Hub,
    id: RequestId,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if let Some(cancel) = self.hub.pending.give_up(self.id, || self.hub.ids.next()) {
            self.hub
                .outbox
                .push(|out| outgoing::write_cancel(out, cancel, self.id));
        }
    }
}
