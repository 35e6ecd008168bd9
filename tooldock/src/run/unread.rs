//! What is left of a request's body when its request has been answered without it.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::{Request, header::EXPECT};
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::{sync::Notify, time::timeout};

use super::head::InRequest;

/// Bytes that may be left for the connection to be used again.
const KEPT: u64 = 256 << 10;
/// Bytes that are read away before the connection is closed with some unread.
const MOST: usize = 64 << 20;

/// Reads away what the requests of one connection leave of their bodies. To close a connection with bytes unread resets it, and a client
/// that is still writing then loses its answer (RFC 9112, section 9.6). Clones are of one connection.
#[derive(Debug, Clone, Default)]
pub(super) struct Unread(Arc<Slot>);

#[derive(Debug, Default)]
struct Slot {
    left: Mutex<Left>,
    there: Notify,
}

#[derive(Debug, Default)]
struct Left {
    rest: Option<Rest>,
    /// The connection is of no use after the answer.
    ends: bool,
}

/// A body that nobody wants any more. As long as it is read, what arrives is no head.
#[derive(Debug)]
struct Rest {
    body: Incoming,
    /// The client sends it only when it is told to, and after the answer it is not.
    on_demand: bool,
    _in_request: InRequest,
}

impl Unread {
    /// The body of a request, of which what is not read is left here.
    pub(super) fn lend(&self, request: Request<Incoming>, in_request: InRequest) -> Request<Lent> {
        let on_demand = request.headers().contains_key(EXPECT);
        self.lock().ends = false;
        request.map(|body| Lent {
            rest: Some(Rest {
                body,
                on_demand,
                _in_request: in_request,
            }),
            unread: self.clone(),
        })
    }

    /// Whether so much is left of the request that is answered now that its connection must end.
    pub(super) fn ends(&self) -> bool {
        self.lock().ends
    }

    /// Reads away what is left of each request in turn, none for longer than `within`.
    pub(super) async fn discard(&self, within: Duration) -> Infallible {
        loop {
            let rest = self.lock().rest.take();
            match rest {
                Some(rest) => drop(timeout(within, rest.discard()).await),
                None => self.0.there.notified().await,
            }
        }
    }

    fn leave(&self, rest: Rest) {
        let mut left = self.lock();
        let size = rest.body.size_hint().exact();
        left.ends = rest.on_demand || size.is_none_or(|size| size > KEPT);
        if !rest.on_demand {
            left.rest = Some(rest);
            self.0.there.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Left> {
        self.0.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rest {
    async fn discard(mut self) {
        let mut most = MOST;
        while let Some(Ok(frame)) = self.body.frame().await {
            let length = frame.data_ref().map_or(0, Bytes::len);
            match most.checked_sub(length) {
                Some(rest) => most = rest,
                None => return,
            }
        }
    }
}

/// The body of a request. Dropped before its end, it is left to its connection.
#[derive(Debug)]
pub(super) struct Lent {
    /// Nothing after its end.
    rest: Option<Rest>,
    unread: Unread,
}

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(rest) = &mut self.rest else {
            return Poll::Ready(None);
        };
        let frame = Pin::new(&mut rest.body).poll_frame(cx);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.rest = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.rest.as_ref().is_none_or(|rest| rest.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.as_ref();
        rest.map_or_else(|| SizeHint::with_exact(0), |rest| rest.body.size_hint())
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(rest) = self.rest.take().filter(|rest| !rest.body.is_end_stream()) {
            self.unread.leave(rest);
        }
    }
}
