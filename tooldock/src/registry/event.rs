//! What happens during a reload, as it happens.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::{
    Stream, StreamExt as _,
    stream::{self, BoxStream},
};
use serde::{Serialize, Serializer};
use tokio::sync::broadcast;
use tooldock_engine::NamespaceName;

/// One thing that happened during a reload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[non_exhaustive]
pub enum ReloadEvent {
    /// A start tells what it is doing.
    Progress {
        /// Which namespace.
        #[serde(serialize_with = "as_text")]
        namespace: NamespaceName,
        /// What.
        text: String,
    },
    /// A new engine is in place.
    Ready {
        /// Which namespace.
        #[serde(serialize_with = "as_text")]
        namespace: NamespaceName,
    },
    /// A namespace could not be started.
    Failed {
        /// Which namespace.
        #[serde(serialize_with = "as_text")]
        namespace: NamespaceName,
        /// Why.
        error: String,
    },
}

/// What happens in all reloads, from when it was [asked for](super::Reloader::events) until the last [`Reloader`](super::Reloader)
/// is gone. A listener that is 256 events behind loses the oldest.
pub struct ReloadEvents(BoxStream<'static, ReloadEvent>);

impl ReloadEvents {
    pub(super) fn new(receiver: broadcast::Receiver<ReloadEvent>) -> Self {
        let events = stream::unfold(receiver, |mut receiver| async move {
            loop {
                match receiver.recv().await {
                    Ok(event) => return Some((event, receiver)),
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return None,
                }
            }
        });
        Self(events.boxed())
    }

    /// The next event; nothing when there will be no more.
    ///
    /// # Cancel safety
    /// Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<ReloadEvent> {
        self.0.next().await
    }
}

impl Stream for ReloadEvents {
    type Item = ReloadEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ReloadEvent>> {
        self.0.poll_next_unpin(cx)
    }
}

impl fmt::Debug for ReloadEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReloadEvents")
    }
}

/// A name as a JSON text.
pub(super) fn as_text<S: Serializer>(name: &NamespaceName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name.as_str())
}
