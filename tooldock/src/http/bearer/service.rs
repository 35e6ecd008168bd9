//! The service behind the door.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::body::Body;
use futures_util::future::{Either, Ready, ready as now};
use http::{HeaderValue, Request, Response, StatusCode, header::WWW_AUTHENTICATE};
use http_body::Body as _;
use tower::{Layer, Service};

use super::{Bearer, visit::Visit};

impl<S> Layer<S> for Bearer {
    type Service = BearerService<S>;

    fn layer(&self, inner: S) -> BearerService<S> {
        BearerService {
            bearer: self.clone(),
            inner,
        }
    }
}

/// A service behind [`Bearer`].
#[derive(Debug, Clone)]
pub struct BearerService<S> {
    bearer: Bearer,
    inner: S,
}

impl<S, B> Service<Request<B>> for BearerService<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Unpin,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<Admitted<S::Future>, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (mut head, body) = request.into_parts();
        match self.bearer.admit(&mut head) {
            Ok(visit) => {
                let refused = self.bearer.not_allowed(&head);
                Either::Left(Admitted {
                    inner: self.inner.call(Request::from_parts(head, body)),
                    visit,
                    refused,
                })
            }
            Err(answer) => Either::Right(now(Ok(*answer))),
        }
    }
}

/// The answer to somebody who was let in.
#[derive(Debug)]
pub struct Admitted<F> {
    inner: F,
    /// Who it is; nothing on open routes.
    visit: Option<Visit>,
    /// What somebody is told who may not do this.
    refused: HeaderValue,
}

impl<F, E> Future for Admitted<F>
where
    F: Future<Output = Result<Response<Body>, E>> + Unpin,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut answer = ready!(Pin::new(&mut self.inner).poll(cx))?;
        let Some(visit) = self.visit.take() else {
            return Poll::Ready(Ok(answer));
        };
        if answer.status() == StatusCode::FORBIDDEN {
            // For whoever keeps account of refusals.
            answer.extensions_mut().insert(visit.principal.clone());
            let refused = self.refused.clone();
            answer.headers_mut().insert(WWW_AUTHENTICATE, refused);
        }
        // A body of known length is there already; a stream may last longer than the right to read it.
        Poll::Ready(Ok(match answer.body().size_hint().exact() {
            Some(_) => answer,
            None => answer.map(|body| visit.stream(body)),
        }))
    }
}
