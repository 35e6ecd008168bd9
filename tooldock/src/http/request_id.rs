//! One id for each request, in logs, errors and the answer.

use std::{
    fmt::Write as _,
    hash::{BuildHasher as _, RandomState},
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use http::{HeaderName, HeaderValue, Request, Response};
use tooldock_engine::context::RequestId;
use tower::{Layer, Service};

use super::{Answered, Look};

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Gives each request a [`RequestId`] among its extensions and puts it into the answer as `X-Request-Id`.
///
/// An id that the client sends is taken if it is 1 to 128 characters of `A-Z a-z 0-9 - _ .`; otherwise a random one is made.
///
/// ```
/// use axum::{Extension, Router, body::Body, routing::get};
/// use http::Request;
/// use tooldock::{engine::context::RequestId, http::RequestIdLayer};
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app = Router::new()
///     .route("/", get(|Extension(RequestId(id)): Extension<RequestId>| async move { id.to_string() }))
///     .layer(RequestIdLayer);
/// let answer = app.oneshot(Request::get("/").header("x-request-id", "mine-1").body(Body::empty())?).await?;
/// assert_eq!(answer.headers()["x-request-id"], "mine-1");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestIdLayer;

impl<S> Layer<S> for RequestIdLayer {
    type Service = RequestIdService<S>;

    fn layer(&self, inner: S) -> RequestIdService<S> {
        RequestIdService(inner)
    }
}

/// A service behind [`RequestIdLayer`].
#[derive(Debug, Clone)]
pub struct RequestIdService<S>(S);

impl<S, B, R> Service<Request<B>> for RequestIdService<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Unpin,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Answered<S::Future, WithId>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let sent = request
            .headers()
            .get(HEADER)
            .filter(|value| is_plain(value.as_bytes()))
            .cloned();
        let header = sent.unwrap_or_else(random);
        let text = header.to_str().unwrap_or_default();
        request.extensions_mut().insert(RequestId(text.into()));
        Answered::new(self.0.call(request), WithId(header))
    }
}

fn is_plain(value: &[u8]) -> bool {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=128).contains(&value.len()) && value.iter().all(plain)
}

fn random() -> HeaderValue {
    // A keyed hash of a counter: as hard to guess as its key, which is asked of the system once.
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = KEY.hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
    let mut text = String::with_capacity(16);
    write!(text, "{number:016x}").expect("a String takes every text");
    HeaderValue::try_from(text).expect("hexadecimal digits are a header value")
}

/// Puts the id into the answer.
#[derive(Debug)]
pub struct WithId(HeaderValue);

impl<R> Look<R> for WithId {
    fn look(self, mut answer: Response<R>) -> Response<R> {
        answer.headers_mut().insert(HEADER, self.0);
        answer
    }
}
