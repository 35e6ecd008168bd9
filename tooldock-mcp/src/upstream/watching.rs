//! What a server says on its own in a session.

use std::{sync::Arc, time::Duration};

use http::HeaderMap;
use tokio::time::sleep;
use tooldock_engine::RawJson;

use super::{
    Upstream,
    agreed::Agreed,
    events::Events,
    place::Place,
    posted::{Content, Posted},
};

/// The longest pause before a stream is opened again.
const LONGEST: Duration = Duration::from_secs(30);

/// What a server says on its own in a session, over as many connections as that takes: a stream that ends is opened again behind what
/// was read, and a session that the server has forgotten is opened again first.
#[derive(Debug)]
pub struct Watching {
    upstream: Upstream,
    session: Option<Arc<Agreed>>,
    events: Option<Box<Events>>,
    place: Place,
    began: bool,
}

/// What became of opening the stream.
enum Opened {
    Stream(Box<Events>),
    /// Not now.
    Failed,
    /// The server has none.
    Never,
}

impl Watching {
    pub(super) fn new(upstream: &Upstream) -> Self {
        Self {
            upstream: upstream.clone(),
            session: None,
            events: None,
            place: Place::start(&upstream.endpoint().settings),
            began: false,
        }
    }

    /// The next message; nothing if the server has no such stream.
    ///
    /// # Cancel safety
    /// Safe: no message is lost.
    pub async fn next(&mut self) -> Option<RawJson> {
        loop {
            if let Some(events) = &mut self.events {
                match self.place.read(events).await {
                    Ok(Some(message)) => return Some(message),
                    Ok(None) => {}
                    Err(error) => tracing::debug!(%error, "the stream of the server's own messages broke"),
                }
                self.events = None;
            }
            if std::mem::replace(&mut self.began, true) {
                let pause = self.place.retry * 2_u32.saturating_pow(self.place.barren.min(8));
                sleep(pause.min(LONGEST).max(self.place.retry)).await;
            }
            match self.open().await {
                Opened::Stream(events) => {
                    self.place.barren += 1;
                    self.events = Some(events);
                }
                Opened::Failed => self.place.barren += 1,
                Opened::Never => return None,
            }
        }
    }

    async fn open(&mut self) -> Opened {
        let Some(agreed) = self.upstream.agreed() else {
            return Opened::Never;
        };
        if !self
            .session
            .as_ref()
            .is_some_and(|session| Arc::ptr_eq(session, &agreed))
        {
            self.session = Some(agreed.clone());
            self.place.forget();
        }
        let mut headers = HeaderMap::new();
        agreed.extend(&mut headers);
        self.place.extend(&mut headers);
        let endpoint = self.upstream.endpoint();
        let Ok(response) = endpoint.get(headers).await else {
            return Opened::Failed;
        };
        let Ok(posted) = Posted::read(endpoint, response).await else {
            return Opened::Failed;
        };
        match (posted.status, posted.content) {
            (200, Content::Events(events)) => Opened::Stream(events),
            (404, _) if agreed.has_session() => match self.upstream.renew(&agreed).await {
                Ok(()) => {
                    self.began = false;
                    Opened::Failed
                }
                Err(error) => {
                    tracing::debug!(%error, "the session could not be opened again");
                    Opened::Failed
                }
            },
            (408 | 429 | 500.., _) => Opened::Failed,
            _ => Opened::Never,
        }
    }
}
