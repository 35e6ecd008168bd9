//! A `subscriptions/listen` that outlives its connections.

use std::time::Duration;

use tokio::{sync::mpsc, time::sleep};
use tooldock_engine::RawJson;

use super::{Upstream, UpstreamError, missed::Kinds};
use crate::wire::MessageId;

/// The first and the longest pause before the server is asked again.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// Carries a subscription to the server and back what it says. A stream that breaks is asked for again: listening changes nothing
/// (2026-07-28, Transports). The client then hears of every list it listens to, because something may have happened meanwhile.
pub(super) async fn carry(upstream: Upstream, json: RawJson, id: MessageId, out: mpsc::Sender<RawJson>) {
    let (mut kinds, mut pause) = (None::<Kinds>, PAUSES.0);
    loop {
        let error = match upstream.send(json.clone()).await {
            Err(error) => error,
            Ok(mut incoming) => loop {
                let message = match incoming.next().await {
                    None => return,
                    Some(Err(error)) => break error,
                    Some(Ok(message)) => message,
                };
                pause = PAUSES.0;
                let acknowledged = Kinds::acknowledged(&message);
                let messages = match (acknowledged, kinds) {
                    (Some(now), Some(_)) => now.notices(Some(&id)),
                    _ => vec![message],
                };
                kinds = acknowledged.or(kinds);
                for message in messages {
                    if out.send(message).await.is_err() {
                        return;
                    }
                }
            },
        };
        let broken = matches!(
            error,
            UpstreamError::Lost { .. } | UpstreamError::Away { .. } | UpstreamError::Silent { .. }
        );
        let busy = matches!(
            error,
            UpstreamError::Refused {
                status: 429 | 500..,
                ..
            }
        );
        // Only what has been acknowledged once is worth waiting for.
        if kinds.is_none() || !(broken || busy) {
            return drop(out.send(error.answer(Some(&id))).await);
        }
        tracing::debug!(%error, "a subscription broke and is asked for again");
        sleep(pause).await;
        pause = (pause * 2).min(PAUSES.1);
    }
}
