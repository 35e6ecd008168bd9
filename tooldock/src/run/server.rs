//! The HTTP server: connection permits, timers, and an end in two stages.

use std::{convert::Infallible, future::Future, net::SocketAddr, pin::pin, time::Duration};

use axum::body::Body;
use futures_util::TryFutureExt as _;
use http::{HeaderValue, Request, Response, header::CONNECTION};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::Service;

use super::{
    answer::AnswerBody,
    descriptors,
    head::{HeadClock, Timed},
    places::Places,
    stall::StallLimit,
    unread::Unread,
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
pub async fn serve<S>(listener: TcpListener, service: S, limits: Limits, stop: impl Future<Output = ()>)
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let places = Places::new(descriptors::connections(limits.connections));
    let connections = TaskTracker::new();
    let (soft, hard) = (CancellationToken::new(), CancellationToken::new());
    let _closes_all_on_drop = hard.clone().drop_guard();
    let accept_all = async {
        loop {
            let (stream, peer) = accept(&listener).await;
            let permit = places.take().await;
            let connection = Connection {
                service: service.clone(),
                limits,
                soft: soft.clone(),
                places: places.clone(),
            };
            let hard = hard.clone();
            connections.spawn(async move {
                // Which of the two ends it does not matter: the stream is closed by its drop.
                let serving = pin!(connection.serve(stream, peer));
                hard.run_until_cancelled(serving).await;
                drop(permit);
            });
        }
    };
    tokio::select! {
        () = accept_all => {}
        () = stop => {}
    }
    drop(listener);
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

/// Accepts one connection; errors (no descriptors left, a peer that is gone) are waited out.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    let mut pause = Duration::from_millis(5);
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(1));
            }
        }
    }
}

struct Connection<S> {
    service: S,
    limits: Limits,
    soft: CancellationToken,
    places: Places,
}

impl<S> Connection<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    async fn serve(self, stream: TcpStream, peer: SocketAddr) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "the connection ended before it began");
            return;
        }
        let clock = HeadClock::new();
        let io = TokioIo::new(Timed {
            inner: StallLimit::new(stream, self.limits.write),
            clock: clock.clone(),
        });
        let peer = Peer::new(peer.ip());
        let (heads, unread) = (clock.clone(), Unread::default());
        let bodies = unread.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            let in_request = heads.complete();
            let mut request = bodies.lend(request, heads.complete()).map(Body::new);
            request.extensions_mut().insert(peer);
            let answering = self.service.clone().call(request);
            let bodies = bodies.clone();
            answering.map_ok(move |mut response| {
                if bodies.ends() {
                    let headers = response.headers_mut();
                    headers.insert(CONNECTION, HeaderValue::from_static("close"));
                }
                response.map(|body| AnswerBody {
                    body,
                    _in_request: in_request,
                })
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
        let result = tokio::select! {
            result = connection.as_mut() => result,
            never = discarding.as_mut() => match never {},
            () = clock.overdue(self.limits.header) => return,
            () = self.places.wanted(&clock) => return,
            () = self.soft.cancelled() => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    result = connection => result,
                    never = discarding => match never {},
                }
            }
        };
        if let Err(error) = result {
            tracing::debug!(%error, "a connection ended early");
        }
    }
}
