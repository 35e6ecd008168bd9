//! The layer that tells of requests that are turned away.

use std::{
    fmt,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use http::{Request, Response, StatusCode};
use tokio::time::Instant;
use tooldock_engine::{
    Door,
    context::{Principal, RequestId},
};
use tower::{Layer, Service};

use super::{Answered, Located, Look, Peer};

/// How many are told of in a minute; strangers must not be able to fill a disk.
const PER_MINUTE: u64 = 600;
const MINUTE: Duration = Duration::from_secs(60);

/// A request that was turned away: 401 for its credentials, 403 for its rights or its origin.
#[derive(Debug)]
#[non_exhaustive]
pub struct Denial<'a> {
    /// Under which id its caller can ask about it.
    pub request_id: Option<&'a str>,
    /// Who it was, if that is known.
    pub principal: Option<&'a str>,
    /// From which address.
    pub peer: Option<IpAddr>,
    /// Through which door.
    pub door: Door,
    /// The namespace in its path, as it was written: there may be none of that name.
    pub namespace: Option<&'a str>,
    /// How it was answered.
    pub status: StatusCode,
    /// How many there were before it that nobody was told of.
    pub more: u64,
}

type Tell = dyn Fn(&Denial<'_>) + Send + Sync;

/// Tells of requests that are turned away, 600 in a minute; of more it tells how many they are.
///
/// ```
/// use tooldock::http::Denials;
/// let (lines, written) = std::sync::mpsc::sync_channel(1000);
/// let denials = Denials::new(move |denial| {
///     lines.try_send(format!("{:?} {}", denial.peer, denial.status)).ok();
/// });
/// let app: axum::Router = axum::Router::new().layer(denials);
/// ```
#[derive(Clone)]
pub struct Denials(Arc<Inner>);

struct Inner {
    tell: Box<Tell>,
    window: Mutex<Window>,
}

/// What was told in a minute.
struct Window {
    began: Instant,
    told: u64,
    more: u64,
}

impl Window {
    /// Whether one more is told of, and how many were not.
    fn admit(&mut self) -> Option<u64> {
        if self.began.elapsed() >= MINUTE {
            (self.began, self.told) = (Instant::now(), 0);
        }
        if self.told >= PER_MINUTE {
            self.more += 1;
            return None;
        }
        self.told += 1;
        Some(std::mem::take(&mut self.more))
    }
}

impl Denials {
    /// Calls `tell` for each, on the task of the request: it must neither block nor panic.
    #[must_use]
    pub fn new(tell: impl Fn(&Denial<'_>) + Send + Sync + 'static) -> Self {
        let window = Window {
            began: Instant::now(),
            told: 0,
            more: 0,
        };
        Self(Arc::new(Inner {
            tell: Box::new(tell),
            window: Mutex::new(window),
        }))
    }
}

impl fmt::Debug for Denials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Denials")
    }
}

impl<S> Layer<S> for Denials {
    type Service = DenialsService<S>;

    fn layer(&self, inner: S) -> DenialsService<S> {
        DenialsService {
            denials: self.clone(),
            inner,
        }
    }
}

/// A service behind [`Denials`].
#[derive(Debug, Clone)]
pub struct DenialsService<S> {
    denials: Denials,
    inner: S,
}

impl<S, B> Service<Request<B>> for DenialsService<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Unpin,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Answered<S::Future, Watched>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let of = request.extensions();
        let (located, id) = (of.get::<Located>().cloned(), of.get::<RequestId>().cloned());
        let peer = of.get::<Peer>().map(|peer| peer.client());
        let watched = Watched {
            denials: self.denials.clone(),
            located,
            id,
            peer,
        };
        Answered::new(self.inner.call(request), watched)
    }
}

/// A request that may be refused.
#[derive(Debug)]
pub struct Watched {
    denials: Denials,
    located: Option<Located>,
    id: Option<RequestId>,
    peer: Option<IpAddr>,
}

impl Look<Body> for Watched {
    fn look(self, answer: Response<Body>) -> Response<Body> {
        if matches!(answer.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            self.tell(&answer);
        }
        answer
    }
}

impl Watched {
    fn tell(&self, answer: &Response<Body>) {
        let Inner { tell, window } = &*self.denials.0;
        let admitted = window.lock().unwrap_or_else(PoisonError::into_inner).admit();
        let Some(more) = admitted else { return };
        tell(&Denial {
            request_id: self.id.as_ref().map(|id| &*id.0),
            principal: answer.extensions().get::<Principal>().map(Principal::name),
            peer: self.peer,
            door: self.located.as_ref().map_or(Door::Rest, Located::door),
            namespace: self
                .located
                .as_ref()
                .and_then(|located| located.namespace.as_deref()),
            status: answer.status(),
            more,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use futures_util::future::ready;
    use tower::{ServiceExt as _, service_fn};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn s104_a_flood_of_refusals_is_told_in_one_number() {
        let (told, untold) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let counts = (told.clone(), untold.clone());
        let denials = Denials::new(move |denial| {
            counts.0.fetch_add(1, Ordering::Relaxed);
            counts.1.fetch_add(denial.more, Ordering::Relaxed);
        });
        let refuse = service_fn(|request: Request<Body>| {
            let mut answer = Response::new(Body::empty());
            *answer.status_mut() = StatusCode::from_u16(request.uri().path()[1..].parse().unwrap()).unwrap();
            ready(Ok::<_, std::convert::Infallible>(answer))
        });
        let service = denials.layer(refuse);
        let ask = async |status: &str| {
            let request = Request::get(format!("/{status}")).body(Body::empty()).unwrap();
            service.clone().oneshot(request).await.unwrap();
        };
        for _ in 0..1000 {
            ask("401").await;
            ask("200").await;
            ask("404").await;
        }
        assert_eq!(told.load(Ordering::Relaxed), PER_MINUTE);
        tokio::time::advance(MINUTE).await;
        ask("403").await;
        assert_eq!(told.load(Ordering::Relaxed), PER_MINUTE + 1);
        assert_eq!(untold.load(Ordering::Relaxed), 400);
    }
}
