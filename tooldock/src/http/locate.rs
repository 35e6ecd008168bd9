//! The layer that finds out which route and which namespace a request means.

use std::{
    borrow::Cow,
    sync::Arc,
    task::{Context, Poll},
};

use http::{Request, Uri, request::Parts, uri::PathAndQuery};
use tooldock_engine::Door;
use tower::{Layer, Service};

use super::{
    Route,
    route::{Meaning, locate},
};

/// What [`Locate`] found out; an extension of every request behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The route, if the path means one.
    pub route: Option<&'static Route>,
    /// The namespace in the path, as it was written. Shared, because whoever tells of a refusal keeps it until the answer is there.
    pub namespace: Option<Arc<str>>,
}

impl Located {
    /// The protocol in which a refusal is to be told.
    #[must_use]
    pub fn door(&self) -> Door {
        self.route.map_or(Door::Rest, |route| route.door)
    }
}

/// The layer that finds the route and the namespace of a request. Refuses nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Locate;

impl<S> Layer<S> for Locate {
    type Service = LocateService<S>;

    fn layer(&self, inner: S) -> LocateService<S> {
        LocateService(inner)
    }
}

/// A service behind [`Locate`].
#[derive(Debug, Clone)]
pub struct LocateService<S>(S);

impl<S, B> Service<Request<B>> for LocateService<S>
where
    S: Service<Request<B>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> S::Future {
        let (mut head, body) = request.into_parts();
        let Meaning {
            route,
            namespace,
            canonical,
        } = locate(head.uri.path());
        if let Some(path) = canonical {
            set_path(&mut head, path);
        }
        let located = Located { route, namespace };
        head.extensions.insert(located);
        self.0.call(Request::from_parts(head, body))
    }
}

/// Exchanges the path and keeps the rest.
fn set_path(head: &mut Parts, path: Cow<'static, str>) {
    let target = match (head.uri.query(), path) {
        (Some(query), path) => PathAndQuery::try_from(format!("{path}?{query}")),
        (None, Cow::Borrowed(path)) => Ok(PathAndQuery::from_static(path)),
        (None, Cow::Owned(path)) => PathAndQuery::try_from(path),
    };
    let Ok(target) = target else { return };
    let mut parts = std::mem::take(&mut head.uri).into_parts();
    parts.path_and_query = Some(target);
    head.uri = Uri::from_parts(parts).expect("another path fits into every address that has one");
}
