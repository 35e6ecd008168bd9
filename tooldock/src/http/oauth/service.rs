//! The service behind the layer.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::future::Either;
use http::Request;
use tower::{Layer, Service};

use super::OAuth;
use crate::http::bearer::presented;

impl<S> Layer<S> for OAuth {
    type Service = OAuthService<S>;

    fn layer(&self, inner: S) -> OAuthService<S> {
        OAuthService {
            oauth: self.clone(),
            inner,
        }
    }
}

/// A service behind [`OAuth`].
#[derive(Debug, Clone)]
pub struct OAuthService<S> {
    oauth: OAuth,
    inner: S,
}

/// An answer that waits for keys first.
type Waiting<R, E> = Pin<Box<dyn Future<Output = Result<R, E>> + Send>>;

impl<S, B> Service<Request<B>> for OAuthService<S>
where
    S: Service<Request<B>> + Clone + Send + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Either<S::Future, Waiting<S::Response, S::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let token = presented(request.headers()).ok().map(<[u8]>::to_vec);
        let looked = token.and_then(|token| Some((self.oauth.look(&token)?, token)));
        let Some((header, token)) = looked else {
            return Either::Left(self.inner.call(request));
        };
        if !self.oauth.0.keys.lacks(&header) {
            if let Some(signed) = self.oauth.believe(&token, &header) {
                request.extensions_mut().insert(signed);
            }
            return Either::Left(self.inner.call(request));
        }
        // The service that was found ready is the one that is called.
        let ready = self.inner.clone();
        let (mut inner, oauth) = (std::mem::replace(&mut self.inner, ready), self.oauth.clone());
        Either::Right(Box::pin(async move {
            oauth.0.keys.refresh(&header).await;
            if let Some(signed) = oauth.believe(&token, &header) {
                request.extensions_mut().insert(signed);
            }
            inner.call(request).await
        }))
    }
}
