//! What a server says to one message.

use http::HeaderMap;
use std::sync::Arc;
use tokio::time::sleep;
use tooldock_engine::RawJson;

use super::{
    Upstream, UpstreamError,
    agreed::Agreed,
    events::Events,
    place::Place,
    posted::{Content, Posted, answers, refusal},
};
use crate::wire::{Message, MessageId};

/// What a server says to one message: notes and questions about a request, then its answer, which is the last item. A notification
/// has nothing to it.
///
/// A stream that breaks off in a session is taken up again where the server has given its events names (2025-11-25, Transports,
/// Resumability). Dropping it ends a request of the modern era and leaves one of a session running.
#[derive(Debug)]
pub struct Incoming {
    upstream: Upstream,
    source: Source,
    /// The request that is answered.
    id: Option<MessageId>,
    /// Whether the answer lists tools to somebody who has to mirror their arguments.
    lists: bool,
    /// The session in which it was sent.
    agreed: Option<Arc<Agreed>>,
    place: Place,
}

#[derive(Debug)]
enum Source {
    Ended,
    One(RawJson),
    Events(Box<Events>),
}

impl Incoming {
    /// What `posted` holds for the sender of `message`.
    pub(super) fn of(
        upstream: &Upstream,
        posted: Posted,
        message: &Message,
        agreed: Option<Arc<Agreed>>,
    ) -> Result<Self, UpstreamError> {
        let endpoint = upstream.endpoint();
        let id = message.id().cloned();
        let error = posted.error();
        let source = match (posted.content, &id) {
            (Content::Events(events), _) => Source::Events(events),
            (Content::One(json), Some(id)) if answers(&json, id) => Source::One(json),
            (_, Some(id)) if error.is_some() => {
                Source::One(refusal(Some(id), &error.unwrap_or_else(RawJson::null)))
            }
            (_, _) if !(200..300).contains(&posted.status) => {
                return Err(UpstreamError::refused(&endpoint.settings.address, posted.status));
            }
            (_, Some(_)) => return Err(endpoint.foreign("the answer to a request is no response to it")),
            (_, None) => Source::Ended,
        };
        let place = Place::start(&endpoint.settings);
        let lists = matches!(message, Message::Request(request) if &*request.method == "tools/list")
            && agreed.is_none();
        Ok(Self {
            upstream: upstream.clone(),
            source,
            id,
            lists,
            agreed,
            place,
        })
    }

    /// An answer that is here already.
    pub(super) fn one(upstream: &Upstream, answer: RawJson) -> Self {
        Self {
            upstream: upstream.clone(),
            source: Source::One(answer),
            id: None,
            lists: false,
            agreed: None,
            place: Place::start(&upstream.endpoint().settings),
        }
    }

    /// The next message; nothing behind the last. A request's last message is its answer, or an error says why there is none.
    ///
    /// # Errors
    /// When the answer will not come any more.
    ///
    /// # Cancel safety
    /// Safe: no message is lost.
    pub async fn next(&mut self) -> Option<Result<RawJson, UpstreamError>> {
        loop {
            let broken = match &mut self.source {
                Source::Ended => return None,
                Source::One(_) => {
                    let Source::One(answer) = std::mem::replace(&mut self.source, Source::Ended) else {
                        return None;
                    };
                    return Some(Ok(self.finish(answer)));
                }
                Source::Events(events) => match self.place.read(events).await {
                    Ok(Some(message)) if self.id.as_ref().is_some_and(|id| answers(&message, id)) => {
                        self.source = Source::Ended;
                        return Some(Ok(self.finish(message)));
                    }
                    Ok(Some(message)) => return Some(Ok(message)),
                    Ok(None) if self.id.is_none() => {
                        self.source = Source::Ended;
                        return None;
                    }
                    Ok(None) => self.upstream.endpoint().cut("the stream ended"),
                    Err(error) => error,
                },
            };
            match self.resume(broken).await {
                Ok(events) => self.source = Source::Events(events),
                Err(error) => {
                    self.source = Source::Ended;
                    return Some(Err(error));
                }
            }
        }
    }

    /// The answer; what comes before it goes unheard.
    ///
    /// # Errors
    /// When it will not come any more.
    pub(super) async fn answer(mut self) -> Result<RawJson, UpstreamError> {
        let mut last = Err(self.upstream.endpoint().cut("there was nothing to read"));
        while let Some(message) = self.next().await {
            last = message;
        }
        last
    }

    fn finish(&self, answer: RawJson) -> RawJson {
        if self.lists {
            self.upstream.learned().read(answer)
        } else {
            answer
        }
    }

    /// Takes the stream up again behind the last event that had a name.
    async fn resume(&mut self, mut broken: UpstreamError) -> Result<Box<Events>, UpstreamError> {
        let endpoint = self.upstream.endpoint().clone();
        let Some(agreed) = self.agreed.as_ref().filter(|_| self.place.is_named()) else {
            return Err(broken);
        };
        while self.place.barren < endpoint.settings.resumptions {
            self.place.barren += 1;
            sleep(self.place.retry).await;
            let mut headers = HeaderMap::new();
            agreed.extend(&mut headers);
            self.place.extend(&mut headers);
            let response = match endpoint.get(headers).await {
                Ok(response) => response,
                Err(error) => {
                    broken = endpoint.cut(error.to_string());
                    continue;
                }
            };
            let posted = Posted::read(&endpoint, response).await?;
            return match posted.content {
                Content::Events(events) => Ok(events),
                _ => Err(endpoint.cut(format!("it cannot be taken up again: status {}", posted.status))),
            };
        }
        Err(broken)
    }
}
