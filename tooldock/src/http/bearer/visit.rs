//! The stay of somebody who was let in.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
    time::{Duration, SystemTime},
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::sleep;
use tooldock_engine::context::Principal;

/// The stay of somebody who was let in.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) principal: Principal,
    pub(super) expires: Option<SystemTime>,
}

impl Visit {
    /// `body` for as long as the visit may last.
    pub(super) fn stream(self, body: Body) -> Body {
        let over = Box::pin(self.over());
        Body::new(VisitBody { body, over })
    }

    /// Waits until the principal has ended, and ends it when its time is over.
    async fn over(self) {
        tokio::select! {
            () = self.principal.ended() => {}
            () = passed(self.expires) => self.principal.end(),
        }
    }
}

/// How long to trust a wait by the clock of the system, which may be set meanwhile.
const STEP: Duration = Duration::from_secs(60);

/// Waits until `moment`.
async fn passed(moment: Option<SystemTime>) {
    let Some(moment) = moment else {
        return std::future::pending().await;
    };
    while let Ok(left) = moment.duration_since(SystemTime::now()) {
        if left.is_zero() {
            break;
        }
        sleep(left.min(STEP)).await;
    }
}

/// A body that ends with the visit it belongs to.
struct VisitBody<F> {
    body: Body,
    over: Pin<Box<F>>,
}

impl<F> fmt::Debug for VisitBody<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VisitBody").finish_non_exhaustive()
    }
}

impl<F: Future<Output = ()>> HttpBody for VisitBody<F> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.over.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
