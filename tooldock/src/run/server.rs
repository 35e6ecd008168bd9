//! The HTTP server: connection permits, timers, and an end in two stages.

use std::{
    convert::Infallible,
    future::{Future, pending},
    pin::pin,
    time::Duration,
};

use axum::body::Body;
use futures_util::TryFutureExt as _;
use http::{HeaderValue, Request, Response, header::CONNECTION};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::time::timeout;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::Service;

use super::{
    answer::AnswerBody,
    descriptors,
    head::{HeadClock, Timed},
    listener::Listener,
    places::Places,
    stall::{Stall, StallLimit},
    stream::{Handshake, Stream},
    traffic::Traffic,
    unread::Unread,
    unsent::Unsent,
};
use crate::http::Peer;

/// Bounds of the server. Start from the default and change what differs.
///
/// ```
/// use std::time::Duration;
/// use tooldock::run::Limits;
/// let mut limits = Limits::default();
/// limits.drain = Duration::from_secs(5);
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Limits {
    /// Connections at once (`MAX_CONNECTIONS`), at most four fifths of the files that the process may open. When all are taken,
    /// those that are idle are closed for whoever waits; more wait in the queue of the operating system.
    pub connections: usize,
    /// How long a request head may take from its first byte, and what is left of a body when its request is answered
    /// (`HEADER_TIMEOUT_SECONDS`).
    pub header: Duration,
    /// How long a connection may be silent between requests (`IDLE_TIMEOUT_SECONDS`).
    pub idle: Duration,
    /// How long a client may take nothing of what is written to it (`WRITE_TIMEOUT_SECONDS`).
    pub write: Duration,
    /// Bytes of answers that clients have yet to take (`MAX_ANSWERS_BYTES`). While there are more, whoever takes nothing for a second is
    /// left.
    pub answer_bytes: usize,
    /// How many headers a request may have.
    pub headers: usize,
    /// Bytes of a request head.
    pub header_bytes: usize,
    /// How long calls may go on after the signal to end (`DRAIN_SECONDS`).
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 12_000,
            header: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            write: Duration::from_secs(30),
            answer_bytes: 256 << 20,
            headers: 100,
            header_bytes: 16 << 10,
            drain: Duration::from_secs(30),
        }
    }
}

/// Serves `service` on `listener` until `stop` is done: then accepts nothing more, lets running requests end for at most
/// [`Limits::drain`], and closes what is left. [`Gateway::serve`](crate::Gateway::serve) does this and ends the gateway as well.
///
/// # Cancel safety
/// Dropping the future closes every connection at once.
pub async fn serve<S>(
    listener: impl Into<Listener>,
    service: S,
    limits: Limits,
    stop: impl Future<Output = ()>,
) where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let (traffic, retired) = (Traffic::default(), CancellationToken::new());
    serve_until(listener.into(), service, limits, traffic, retired, stop).await;
}

/// Does the same, and from the moment on in which it is `retired` leaves new connections to somebody else who has the socket, and asks
/// for the end of each one it has with its next answer. So no request meets a connection that is being closed.
pub(crate) async fn serve_until<S>(
    listener: Listener,
    service: S,
    limits: Limits,
    traffic: Traffic,
    retired: CancellationToken,
    stop: impl Future<Output = ()>,
) where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let places = Places::new(descriptors::connections(limits.connections));
    let unsent = Unsent::new(limits.answer_bytes);
    let connections = TaskTracker::new();
    let (soft, hard) = (CancellationToken::new(), CancellationToken::new());
    let _closes_all_on_drop = hard.clone().drop_guard();
    let accept_all = async {
        let handshake = listener.handshake();
        while let Some((stream, peer)) = retired.run_until_cancelled(listener.accept()).await {
            let permit = places.take().await;
            let connection = Connection {
                service: service.clone(),
                limits,
                soft: soft.clone(),
                retired: retired.clone(),
                traffic: traffic.clone(),
                places: places.clone(),
                unsent: unsent.clone(),
                handshake: handshake.clone(),
            };
            let (hard, open) = (hard.clone(), traffic.accept());
            connections.spawn(async move {
                // Which of the two ends it does not matter: the stream is closed by its drop.
                let serving = pin!(connection.serve(stream, peer));
                hard.run_until_cancelled(serving).await;
                drop((permit, open));
            });
        }
        drop(listener);
        pending::<()>().await;
    };
    tokio::select! {
        () = accept_all => {}
        () = stop => {}
    }
    soft.cancel();
    connections.close();
    if timeout(limits.drain, connections.wait()).await.is_err() {
        tracing::warn!(
            connections = connections.len(),
            "closing connections that did not end within DRAIN_SECONDS"
        );
        hard.cancel();
        connections.wait().await;
    }
}

struct Connection<S> {
    service: S,
    limits: Limits,
    soft: CancellationToken,
    retired: CancellationToken,
    traffic: Traffic,
    places: Places,
    unsent: Unsent,
    handshake: Handshake,
}

impl<S> Connection<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    async fn serve(self, stream: Stream, peer: Peer) {
        let agreed = timeout(self.limits.header, self.handshake.agree(stream)).await;
        let stream = match agreed.unwrap_or_else(|late| Err(late.into())) {
            Ok(stream) => stream,
            Err(error) => {
                tracing::debug!(%error, "the connection ended before it began");
                return;
            }
        };
        let (clock, stall) = (HeadClock::new(), Stall::default());
        let io = TokioIo::new(Timed {
            inner: StallLimit::new(stream, self.limits.write, stall.clone()),
            clock: clock.clone(),
        });
        let (heads, unread, retired) = (clock.clone(), Unread::default(), self.retired);
        let (traffic, unsent) = (self.traffic, self.unsent.clone());
        let bodies = unread.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            let in_request = heads.complete();
            let mut request = bodies.lend(request, heads.complete()).map(Body::new);
            request.extensions_mut().insert(peer);
            let answering = self.service.clone().call(request);
            let (bodies, retired, traffic) = (bodies.clone(), retired.clone(), traffic.clone());
            let unsent = unsent.clone();
            answering.map_ok(move |mut response| {
                traffic.answer(response.status());
                if bodies.ends() || retired.is_cancelled() {
                    let headers = response.headers_mut();
                    headers.insert(CONNECTION, HeaderValue::from_static("close"));
                }
                response.map(|body| AnswerBody::new(body, unsent, in_request))
            })
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.idle)
            .max_headers(self.limits.headers)
            .max_buf_size(self.limits.header_bytes.max(8 << 10))
            .serve_connection(io, answer);
        let mut connection = pin!(connection);
        let mut discarding = pin!(unread.discard(self.limits.header));
        let mut crowded = pin!(async {
            self.unsent.wanted(&stall).await;
            tracing::info!("a client that took nothing was left: answers have more than MAX_ANSWERS_BYTES");
        });
        let result = tokio::select! {
            result = connection.as_mut() => result,
            never = discarding.as_mut() => match never {},
            () = clock.overdue(self.limits.header) => return,
            () = self.places.wanted(&clock) => return,
            () = crowded.as_mut() => return,
            () = self.soft.cancelled() => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    result = connection => result,
                    never = discarding => match never {},
                    () = crowded => return,
                }
            }
        };
        if let Err(error) = result {
            tracing::debug!(%error, "a connection ended early");
        }
    }
}
