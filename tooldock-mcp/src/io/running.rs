//! Requests that are being answered.

use std::collections::HashMap;

use futures_util::{
    FutureExt as _, StreamExt as _,
    future::{AbortHandle, BoxFuture, abortable},
    stream::FuturesUnordered,
};

use crate::wire::{Message, MessageId};

/// Requests that are being answered, by their ids.
#[derive(Default)]
pub(crate) struct Running {
    deliveries: FuturesUnordered<BoxFuture<'static, MessageId>>,
    handles: HashMap<MessageId, AbortHandle>,
}

impl Running {
    /// Begins to answer the request `id`: what `delivery` does before it first waits is done on return.
    pub(crate) fn start(&mut self, id: MessageId, delivery: impl Future<Output = ()> + Send + 'static) {
        let (delivery, handle) = abortable(delivery);
        let mut delivery = delivery.boxed();
        if (&mut delivery).now_or_never().is_none() {
            self.handles.insert(id.clone(), handle);
            self.deliveries.push(delivery.map(|_| id).boxed());
        }
    }

    /// Stops answering the request that `message` cancels, if it is such a message and the request runs: no answer follows.
    pub(crate) fn cancel(&mut self, message: &Message) {
        let handle = cancelled(message).and_then(|id| self.handles.remove(&id));
        if let Some(handle) = handle {
            handle.abort();
        }
    }

    /// Waits until one has been answered; nothing if none runs.
    ///
    /// # Cancel safety
    /// Safe.
    pub(crate) async fn next(&mut self) -> Option<()> {
        let id = self.deliveries.next().await?;
        self.handles.remove(&id);
        Some(())
    }

    /// How many run.
    pub(crate) fn len(&self) -> usize {
        self.deliveries.len()
    }
}

/// The request that `message` cancels.
pub(crate) fn cancelled(message: &Message) -> Option<MessageId> {
    match message {
        Message::Notification(told) if &*told.method == "notifications/cancelled" => {
            MessageId::new(told.params.get("requestId")?.detached())
        }
        _ => None,
    }
}
