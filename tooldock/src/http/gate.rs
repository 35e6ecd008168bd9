//! What most layers are: a look at the head of a request, then on or back.

use std::task::{Context, Poll};

use axum::body::Body;
use futures_util::future::{Either, Ready, ready};
use http::{Request, Response, request::Parts};
use tower::{Layer, Service};

use super::{Cidr, Hosts, Namespaces, Origins, Proxies, Singular};

/// The answer to a request that may not go on.
pub type Refusal = Box<Response<Body>>;

/// Decides from the head of a request alone, before a byte of its body is read.
///
/// ```
/// use tooldock::http::{Gate, GateLayer, Refusal};
/// #[derive(Debug, Clone)]
/// struct Closed;
/// impl Gate for Closed {
///     fn admit(&self, _head: &mut http::request::Parts) -> Result<(), Refusal> {
///         Err(Box::new(http::Response::builder().status(503).body("closed".into()).expect("a plain answer")))
///     }
/// }
/// let app: axum::Router = axum::Router::new().layer(GateLayer::new(Closed));
/// ```
pub trait Gate: Clone + Send + Sync + 'static {
    /// Lets the request in, possibly with more in its extensions, or answers it.
    ///
    /// # Errors
    /// The answer, when the request may not go on.
    fn admit(&self, head: &mut Parts) -> Result<(), Refusal>;
}

/// A [`Gate`] as a Tower layer; the gates of this module are layers themselves.
#[derive(Debug, Clone)]
pub struct GateLayer<G>(G);

impl<G: Gate> GateLayer<G> {
    /// A layer that asks `gate`.
    pub fn new(gate: G) -> Self {
        Self(gate)
    }
}

impl<G: Clone, S> Layer<S> for GateLayer<G> {
    type Service = GateService<G, S>;

    fn layer(&self, inner: S) -> Self::Service {
        GateService {
            gate: self.0.clone(),
            inner,
        }
    }
}

/// A service behind a [`Gate`].
#[derive(Debug, Clone)]
pub struct GateService<G, S> {
    gate: G,
    inner: S,
}

impl<G, S, B> Service<Request<B>> for GateService<G, S>
where
    G: Gate,
    S: Service<Request<B>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (mut head, body) = request.into_parts();
        match self.gate.admit(&mut head) {
            Ok(()) => Either::Left(self.inner.call(Request::from_parts(head, body))),
            Err(answer) => Either::Right(ready(Ok(*answer))),
        }
    }
}

/// Makes gates Tower layers, so that they go where any layer goes.
macro_rules! layers {
    ($($gate:ty),*) => {$(
        impl<S> Layer<S> for $gate {
            type Service = GateService<Self, S>;

            fn layer(&self, inner: S) -> Self::Service {
                GateLayer::new(self.clone()).layer(inner)
            }
        }
    )*};
}

layers!(Cidr, Hosts, Namespaces, Origins, Proxies, Singular);
