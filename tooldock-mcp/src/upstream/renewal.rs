//! Opening a session, and opening it again when the server has forgotten it.

use std::{sync::Arc, time::Duration};

use http::HeaderMap;
use tokio::time::{Instant, sleep};
use tooldock_engine::RawJson;

use super::{Upstream, UpstreamError, agreed::Agreed, incoming::Incoming, posted::Posted};
use crate::wire::{Message, write_notification};

/// The pause before a server that is not ready is asked again.
const PAUSE: Duration = Duration::from_millis(250);

impl Upstream {
    /// Sends the `initialize` that `opening` is, remembers what was agreed on, and gives the answer.
    pub(super) async fn open(&self, opening: RawJson, message: &Message) -> Result<RawJson, UpstreamError> {
        let end = Instant::now() + self.endpoint().settings.patience;
        loop {
            let posted = self.post(&opening, HeaderMap::new()).await?;
            if posted.status == 503 && Instant::now() + PAUSE < end {
                sleep(PAUSE).await;
                continue;
            }
            let headers = posted.headers.clone();
            let answer = Incoming::of(self, posted, message, None)?.answer().await?;
            if let Ok(Message::Response(response)) = Message::read(&answer)
                && let Ok(result) = &response.outcome
            {
                let agreed = Agreed::read(opening, &headers, result);
                let agreed =
                    agreed.ok_or_else(|| self.endpoint().foreign("`initialize` names no revision"))?;
                self.agree(agreed);
            }
            return Ok(answer);
        }
    }

    /// Opens the session again that the server has forgotten (2025-11-25, Transports, Session Management: after a 404 a client starts
    /// over). Several that ask at once share one attempt.
    pub(super) async fn renew(&self, old: &Arc<Agreed>) -> Result<(), UpstreamError> {
        let _turn = self.turn().await;
        if !self.agreed().is_some_and(|now| Arc::ptr_eq(&now, old)) {
            return Ok(());
        }
        let message = Message::read(&old.opening).map_err(|fault| self.endpoint().foreign(fault.reason))?;
        let answer = self.open(old.opening.clone(), &message).await?;
        let new = self.agreed().filter(|now| !Arc::ptr_eq(now, old));
        let Some(new) = new else {
            return Err(UpstreamError::read(&answer)
                .unwrap_or_else(|| self.endpoint().foreign("the session could not be opened again")));
        };
        if new.version != old.version {
            let text = format!(
                "it speaks `{}` now and spoke `{}` before; start the client again",
                new.version.escape_debug(),
                old.version
            );
            return Err(self.endpoint().foreign(text));
        }
        let told = write_notification("notifications/initialized", |_| {});
        let mut headers = HeaderMap::new();
        new.extend(&mut headers);
        let posted: Posted = self.post(&told, headers.clone()).await?;
        for wish in self.standing().all() {
            let message = Message::read(&wish).map_err(|fault| self.endpoint().foreign(fault.reason))?;
            let posted = self.post(&wish, headers.clone()).await?;
            // The client has had its answer; what the server says now is not for it.
            let answer = Incoming::of(self, posted, &message, Some(new.clone()))?
                .answer()
                .await?;
            if let Some(error) = UpstreamError::read(&answer) {
                tracing::warn!(%error, "the new session lacks what the client had set in the old one");
            }
        }
        tracing::info!(
            status = posted.status,
            "the server had forgotten the session, so a new one was opened"
        );
        self.renewed();
        Ok(())
    }
}
