//! How large a request may be, and how long it may take to arrive.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use futures_util::future::{Either, Ready, ready as now};
use http::{
    HeaderMap, Request, Response,
    header::{CONTENT_ENCODING, CONTENT_LENGTH},
};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};
use tooldock_engine::{EngineError, ErrorKind};
use tower::{Layer, Service};

use super::{
    refusal::refuse,
    room::{Part, Room},
};

/// Refuses bodies over a number of bytes (unread, when they declare their length) and bodies that drip.
///
/// Behind it a body that breaks a bound ends in an [`EngineError`]; whoever reads it finds that with [`cause`](tooldock_engine::error::cause)
/// and answers 413 or 408 in the form of its door.
///
/// ```
/// use std::time::Duration;
/// use axum::{Router, body::Body, routing::post};
/// use http::Request;
/// use tooldock::http::BodyLimit;
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app: Router = Router::new()
///     .route("/", post(|body: String| async move { body }))
///     .layer(BodyLimit::new(1024, Duration::from_secs(30)));
/// let answer = app.oneshot(Request::post("/").header("content-length", "1025").body(Body::empty())?).await?;
/// assert_eq!(answer.status(), 413);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct BodyLimit {
    bytes: usize,
    within: Duration,
    room: Room,
}

/// Bytes that all bodies share without [`BodyLimit::sharing`].
const SHARED: usize = 64 << 20;

impl BodyLimit {
    /// Bodies of up to `bytes` that arrive `within` that time (settings `MAX_BODY_BYTES`, `BODY_TIMEOUT_SECONDS`).
    #[must_use]
    pub fn new(bytes: usize, within: Duration) -> Self {
        let room = Room::new(SHARED.max(bytes));
        Self { bytes, within, room }
    }

    /// Lets all bodies that are there at once have `bytes` together (setting `MAX_BODIES_BYTES`, 64 MiB); what is too much is answered
    /// 503. A body counts from when it arrives until its request is answered.
    #[must_use]
    pub fn sharing(mut self, bytes: usize) -> Self {
        self.room = Room::new(bytes);
        self
    }

    fn judge(&self, headers: &HeaderMap) -> Result<(), EngineError> {
        if headers.contains_key(CONTENT_ENCODING) {
            return Err(EngineError::new(
                ErrorKind::InvalidRequest,
                "send the body as it is, without `Content-Encoding`",
            ));
        }
        let declared = headers
            .get(CONTENT_LENGTH)
            .and_then(|value| value.to_str().ok())
            .and_then(|text| text.parse::<u64>().ok());
        match declared {
            Some(length) if length > self.bytes as u64 => Err(EngineError::new(
                ErrorKind::RequestTooLarge,
                format!(
                    "the body has {length} bytes, the limit is {} (MAX_BODY_BYTES)",
                    self.bytes
                ),
            )),
            _ => Ok(()),
        }
    }

    fn too_long(&self) -> EngineError {
        let text = format!(
            "the body is over the limit of {} bytes (MAX_BODY_BYTES); send less",
            self.bytes
        );
        EngineError::new(ErrorKind::RequestTooLarge, text)
    }

    fn too_slow(&self) -> EngineError {
        let text = format!(
            "the body did not arrive within {} s (BODY_TIMEOUT_SECONDS); send it at once",
            self.within.as_secs_f64()
        );
        EngineError::new(ErrorKind::RequestTimeout, text)
    }
}

impl<S> Layer<S> for BodyLimit {
    type Service = BodyLimitService<S>;

    fn layer(&self, inner: S) -> BodyLimitService<S> {
        BodyLimitService {
            limit: self.clone(),
            inner,
        }
    }
}

/// A service behind [`BodyLimit`].
#[derive(Debug, Clone)]
pub struct BodyLimitService<S> {
    limit: BodyLimit,
    inner: S,
}

impl<S> Service<Request<Body>> for BodyLimitService<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Unpin,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<Roomy<S::Future>, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let (head, body) = request.into_parts();
        if let Err(error) = self.limit.judge(&head.headers) {
            return Either::Right(now(Ok(*refuse(&head, &error))));
        }
        let part = Arc::new(self.limit.room.part());
        let body = Body::new(BoundedBody::new(body, self.limit.clone(), part.clone()));
        Either::Left(Roomy {
            inner: self.inner.call(Request::from_parts(head, body)),
            _part: part,
        })
    }
}

/// An answer whose request keeps its room until then.
#[derive(Debug)]
pub struct Roomy<F> {
    inner: F,
    _part: Arc<Part>,
}

impl<F: Future + Unpin> Future for Roomy<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        Pin::new(&mut self.inner).poll(cx)
    }
}

/// A body that ends in an error when it becomes too large or too slow.
#[derive(Debug)]
pub struct BoundedBody {
    inner: Body,
    left: usize,
    limit: BodyLimit,
    part: Arc<Part>,
    /// Set when the first part is not there at once.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl BoundedBody {
    fn new(inner: Body, limit: BodyLimit, part: Arc<Part>) -> Self {
        Self {
            inner,
            left: limit.bytes,
            limit,
            part,
            deadline: None,
        }
    }
}

impl HttpBody for BoundedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let broken = |error| Poll::Ready(Some(Err(axum::Error::new(error))));
        let Poll::Ready(frame) = Pin::new(&mut this.inner).poll_frame(cx) else {
            let deadline = this
                .deadline
                .get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + this.limit.within)));
            ready!(deadline.as_mut().poll(cx));
            return broken(this.limit.too_slow());
        };
        let length = frame
            .as_ref()
            .and_then(|frame| frame.as_ref().ok()?.data_ref().map(Bytes::len))
            .unwrap_or(0);
        match this.left.checked_sub(length) {
            Some(left) => this.left = left,
            None => return broken(this.limit.too_long()),
        }
        if let Err(full) = this.part.grow(length) {
            return broken(full);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use futures_util::stream;
    use http_body_util::BodyExt as _;

    use super::*;

    fn bounded(body: Body) -> BoundedBody {
        let limit = BodyLimit::new(10, Duration::from_secs(30)).sharing(100);
        let part = Arc::new(limit.room.part());
        BoundedBody::new(body, limit, part)
    }

    #[test]
    fn s23_all_bodies_share_what_there_is_and_give_it_back() {
        let room = Room::new(10);
        let (first, second) = (room.part(), room.part());
        assert!(first.grow(6).is_ok() && second.grow(4).is_ok());
        let full = second.grow(1).unwrap_err();
        assert!(full.to_string().contains("MAX_BODIES_BYTES") && full.retry_after().is_some());
        drop(second);
        assert!(first.grow(4).is_ok() && first.grow(1).is_err());
        drop(first);
        assert!(room.part().grow(10).is_ok());
    }

    #[tokio::test]
    async fn s23_a_chunked_body_is_counted_while_it_is_read() {
        let chunks = |n: usize| {
            Body::from_stream(stream::iter(
                (0..n).map(|_| Ok::<_, io::Error>(Bytes::from_static(b"12345"))),
            ))
        };
        assert_eq!(bounded(chunks(2)).collect().await.unwrap().to_bytes().len(), 10);
        let error = bounded(chunks(3)).collect().await.unwrap_err().to_string();
        assert!(error.contains("limit of 10 bytes (MAX_BODY_BYTES)"), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn s21_a_body_that_drips_ends_in_time() {
        let drip = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_secs(20)).await;
            Some((Ok::<_, io::Error>(Bytes::from_static(b"1")), ()))
        });
        let begin = Instant::now();
        let error = bounded(Body::from_stream(drip))
            .collect()
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("within 30 s (BODY_TIMEOUT_SECONDS)"), "{error}");
        assert_eq!(begin.elapsed(), Duration::from_secs(30));
    }
}
