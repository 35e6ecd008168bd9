//! A handler that panics is answered for.

use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::Body;
use http::{Request, Response};
use tooldock_engine::{Door, EngineError, ErrorKind};
use tower::{Layer, Service};

use super::{Located, refusal::answer};

/// Turns a panic behind it into an answer with status 500; other requests notice nothing.
///
/// ```
/// use axum::{Router, body::Body, routing::get};
/// use http::Request;
/// use tower::ServiceExt as _;
///
/// async fn broken() -> &'static str {
///     panic!("a bug")
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app: Router = Router::new().route("/", get(broken)).layer(tooldock::http::Panics);
/// assert_eq!(app.oneshot(Request::new(Body::empty())).await?.status(), 500);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Panics;

impl<S> Layer<S> for Panics {
    type Service = PanicsService<S>;

    fn layer(&self, inner: S) -> PanicsService<S> {
        PanicsService(inner)
    }
}

/// A service behind [`Panics`].
#[derive(Debug, Clone)]
pub struct PanicsService<S>(S);

impl<S, B> Service<Request<B>> for PanicsService<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Unpin,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Caught<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let door = request
            .extensions()
            .get::<Located>()
            .map_or(Door::Rest, Located::door);
        let inner = catch_unwind(AssertUnwindSafe(|| self.0.call(request)));
        Caught {
            inner: inner.map_err(Some),
            door,
        }
    }
}

/// The answer of a handler, or an apology for it.
#[derive(Debug)]
pub struct Caught<F> {
    inner: Result<F, Option<Box<dyn Any + Send>>>,
    door: Door,
}

impl<F, E> Future for Caught<F>
where
    F: Future<Output = Result<Response<Body>, E>> + Unpin,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let polled = match &mut this.inner {
            Ok(inner) => catch_unwind(AssertUnwindSafe(|| Pin::new(inner).poll(cx))).map_err(Some),
            Err(panic) => Err(panic.take()),
        };
        polled.unwrap_or_else(|panic| Poll::Ready(Ok(apologize(this.door, panic.as_deref()))))
    }
}

/// A panic is our fault: the answer says no more than that, the log has the rest.
fn apologize(door: Door, panic: Option<&(dyn Any + Send)>) -> Response<Body> {
    let text = panic.and_then(|panic| {
        panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied())
    });
    tracing::error!(panic = text.unwrap_or("not a text"), "a handler panicked");
    let error = EngineError::new(
        ErrorKind::Internal,
        "the gateway broke while answering; its log tells more",
    );
    answer(door, &error, None)
}
