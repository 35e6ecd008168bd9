//! What may have changed in an engine.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::Stream;
use futures_util::{StreamExt as _, future, stream};
use tokio::sync::broadcast;

use crate::request::ResourceUri;

/// One hint that something may have changed. Whoever tells a client first compares what that client may see.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources or templates.
    Resources,
    /// The content of one watched resource.
    Updated(ResourceUri),
    /// Hints were lost: look at everything again.
    Lagged,
}

/// A stream of [`Change`]s. Dropping it ends the watch.
///
/// It ends when the engine will never change again.
///
/// ```
/// use tooldock_engine::{Change, Changes};
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let (sender, receiver) = tokio::sync::broadcast::channel(16);
/// let mut changes = Changes::from_receiver(receiver);
/// sender.send(Change::Tools).unwrap();
/// assert_eq!(changes.next().await, Some(Change::Tools));
/// # });
/// ```
pub struct Changes(Pin<Box<dyn Stream<Item = Change> + Send>>);

impl Changes {
    /// Nothing ever changes.
    #[must_use]
    pub fn never() -> Self {
        Self(Box::pin(stream::empty()))
    }

    /// Any stream of changes.
    ///
    /// ```
    /// # use tooldock_engine::{Change, Changes};
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let mut changes = Changes::from_stream(futures_util::stream::iter([Change::Tools, Change::Prompts]));
    /// assert_eq!(changes.next().await, Some(Change::Tools));
    /// # });
    /// ```
    #[must_use]
    pub fn from_stream(stream: impl Stream<Item = Change> + Send + 'static) -> Self {
        Self(Box::pin(stream))
    }

    /// The changes a bounded broadcast channel carries; what its bound drops becomes [`Change::Lagged`].
    #[must_use]
    pub fn from_receiver(receiver: broadcast::Receiver<Change>) -> Self {
        Self::from_stream(stream::unfold(receiver, |mut receiver| async move {
            match receiver.recv().await {
                Ok(change) => Some((change, receiver)),
                Err(broadcast::error::RecvError::Lagged(_)) => Some((Change::Lagged, receiver)),
                Err(broadcast::error::RecvError::Closed) => None,
            }
        }))
    }

    /// Only the changes `keep` wants.
    ///
    /// ```
    /// # use tooldock_engine::{Change, Changes};
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let all = Changes::from_stream(futures_util::stream::iter([Change::Tools, Change::Prompts]));
    /// let mut prompts = all.filter(|change| *change == Change::Prompts);
    /// assert_eq!(prompts.next().await, Some(Change::Prompts));
    /// # });
    /// ```
    #[must_use]
    pub fn filter(self, mut keep: impl FnMut(&Change) -> bool + Send + 'static) -> Self {
        Self::from_stream(self.0.filter(move |change| future::ready(keep(change))))
    }

    /// Only changes of lists, and updates of resources that are in `watch`.
    #[must_use]
    pub fn watching(self, watch: &[ResourceUri]) -> Self {
        let watch: Vec<ResourceUri> = watch.to_vec();
        self.filter(move |change| !matches!(change, Change::Updated(uri) if !watch.contains(uri)))
    }

    /// The next change; `None` when there will be no more.
    ///
    /// # Cancel safety
    /// Dropping the future loses no change.
    pub async fn next(&mut self) -> Option<Change> {
        self.0.next().await
    }
}

impl Stream for Changes {
    type Item = Change;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Change>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Changes")
    }
}
