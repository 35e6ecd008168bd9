//! How large a request may be, and how long it may take to arrive.

use std::{
    future::Future as _,
    pin::Pin,
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

use super::refusal::refuse;

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
#[derive(Debug, Clone, Copy)]
pub struct BodyLimit {
    bytes: usize,
    within: Duration,
}

impl BodyLimit {
    /// Bodies of up to `bytes` that arrive `within` that time (settings `MAX_BODY_BYTES`, `BODY_TIMEOUT_SECONDS`).
    #[must_use]
    pub fn new(bytes: usize, within: Duration) -> Self {
        Self { bytes, within }
    }

    fn judge(self, headers: &HeaderMap) -> Result<(), EngineError> {
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

    fn too_long(self) -> EngineError {
        let text = format!(
            "the body is over the limit of {} bytes (MAX_BODY_BYTES); send less",
            self.bytes
        );
        EngineError::new(ErrorKind::RequestTooLarge, text)
    }

    fn too_slow(self) -> EngineError {
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
        BodyLimitService { limit: *self, inner }
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
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let (head, body) = request.into_parts();
        if let Err(error) = self.limit.judge(&head.headers) {
            return Either::Right(now(Ok(*refuse(&head, &error))));
        }
        let body = Body::new(BoundedBody::new(body, self.limit));
        Either::Left(self.inner.call(Request::from_parts(head, body)))
    }
}

/// A body that ends in an error when it becomes too large or too slow.
#[derive(Debug)]
pub struct BoundedBody {
    inner: Body,
    left: usize,
    limit: BodyLimit,
    /// Set when the first part is not there at once.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl BoundedBody {
    fn new(inner: Body, limit: BodyLimit) -> Self {
        Self {
            inner,
            left: limit.bytes,
            limit,
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

    const LIMIT: BodyLimit = BodyLimit {
        bytes: 10,
        within: Duration::from_secs(30),
    };

    #[tokio::test]
    async fn s23_a_chunked_body_is_counted_while_it_is_read() {
        let chunks = |n: usize| {
            Body::from_stream(stream::iter(
                (0..n).map(|_| Ok::<_, io::Error>(Bytes::from_static(b"12345"))),
            ))
        };
        assert_eq!(
            BoundedBody::new(chunks(2), LIMIT)
                .collect()
                .await
                .unwrap()
                .to_bytes()
                .len(),
            10
        );
        let error = BoundedBody::new(chunks(3), LIMIT)
            .collect()
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("limit of 10 bytes (MAX_BODY_BYTES)"), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn s21_a_body_that_drips_ends_in_time() {
        let drip = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_secs(20)).await;
            Some((Ok::<_, io::Error>(Bytes::from_static(b"1")), ()))
        });
        let begin = Instant::now();
        let error = BoundedBody::new(Body::from_stream(drip), LIMIT)
            .collect()
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("within 30 s (BODY_TIMEOUT_SECONDS)"), "{error}");
        assert_eq!(begin.elapsed(), Duration::from_secs(30));
    }
}
