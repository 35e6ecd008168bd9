//! The service behind the door.

use std::task::{Context, Poll};

use axum::body::Body;
use futures_util::future::{Either, Ready, ready as now};
use http::{Request, Response, StatusCode, header::WWW_AUTHENTICATE};
use http_body::Body as _;
use tower::{Layer, Service};

use super::{Advice, Bearer, Visit, denial};
use crate::http::{Answered, Look};

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
    type Future = Either<Answered<S::Future, Admitted>, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (mut head, body) = request.into_parts();
        match self.bearer.admit(&mut head) {
            Ok(visit) => {
                let advice = Advice::new(&self.bearer, &head);
                let answer = self.inner.call(Request::from_parts(head, body));
                Either::Left(Answered::new(answer, Admitted { visit, advice }))
            }
            Err(answer) => Either::Right(now(Ok(*answer))),
        }
    }
}

/// Somebody who was let in.
#[derive(Debug)]
pub struct Admitted {
    /// Who it is; nothing on open routes.
    visit: Option<Visit>,
    /// For the case that he may not do this.
    advice: Advice,
}

impl Look<Body> for Admitted {
    fn look(self, mut answer: Response<Body>) -> Response<Body> {
        let Some(visit) = self.visit else {
            return answer;
        };
        if answer.status() == StatusCode::FORBIDDEN {
            // For whoever keeps account of refusals.
            answer.extensions_mut().insert(visit.principal.clone());
            let challenge = self.advice.add(denial::NOT_ALLOWED);
            answer.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        // A body of known length is there already; a stream may last longer than the right to read it.
        match answer.body().size_hint().exact() {
            Some(_) => answer,
            None => answer.map(|body| visit.stream(body)),
        }
    }
}
