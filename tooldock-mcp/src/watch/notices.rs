//! What the server sends on its own in a session.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tooldock_engine::RawJson;

use super::{ListWatch, Place, ResourceWatches, Told};
use crate::{
    connection::{Outbox, OutboxReader},
    session::Session,
};

/// One open stream of what the server sends on its own in a session.
///
/// Every stream of a session looks out for changes; the first to notice one puts the notice into the outbox, whence it goes to the
/// newest stream. Without a stream nobody looks, and what has changed meanwhile is told on the next. An updated resource is told on
/// whichever stream is read first.
#[derive(Debug)]
pub(crate) struct Notices {
    reader: OutboxReader,
    outbox: Arc<Outbox>,
    told: Arc<Told>,
    resources: Arc<ResourceWatches>,
    watch: ListWatch,
    closing: CancellationToken,
    _place: Place,
}

impl Notices {
    /// Opens a stream of `session` that ends with it, or when `closing` fires.
    pub(crate) fn open(
        session: &Session,
        watch: ListWatch,
        closing: CancellationToken,
        place: Place,
    ) -> Self {
        Self {
            reader: session.outbox().attach(),
            outbox: session.outbox().clone(),
            told: session.told().clone(),
            resources: session.resources().clone(),
            watch,
            closing,
            _place: place,
        }
    }

    /// The next message; nothing once the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<RawJson> {
        loop {
            tokio::select! {
                biased;
                message = self.reader.next() => return message,
                () = self.closing.cancelled() => return None,
                uri = self.resources.next() => return Some(ResourceWatches::notice(&uri, |_| {})),
                list = self.watch.changed(&self.told) => {
                    self.outbox.send(list.notice(|_| {}));
                }
            }
        }
    }
}
