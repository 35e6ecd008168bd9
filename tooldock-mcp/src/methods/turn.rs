//! A request's turn: everything a method needs besides the request.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tooldock_engine::{
    CallContext, Catalog, Mount, RawJson,
    catalog::Kind,
    context::{LogLevel, TraceContext},
    json::ObjectWriter,
    request::ResourceUri,
};

use crate::{
    call::{Calls, Entered, Lifetime},
    connection::{Answer, Connection, Inner, Reply},
    era::Route,
    methods::Encoder,
    refusal::{Refusal, code},
    revision::{Era, Revision, Revisions},
    session::Session,
    wire::{MessageId, Meta, Request, names::LOG_LEVEL},
};

/// A request's turn: everything a method needs besides the request.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) connection: Connection,
    pub(crate) mount: Mount,
    speaking: Speaking,
}

#[derive(Debug)]
enum Speaking {
    /// 2026-07-28 and later.
    Modern(Revision),
    /// `initialize`.
    Opening,
    /// Within a session.
    Session(Arc<Session>),
}

impl Turn {
    pub(crate) fn new(connection: &Connection, mount: Mount, route: Route) -> Result<Self, Refusal> {
        let speaking = match route {
            Route::Modern(revision) => Speaking::Modern(revision),
            Route::Open => Speaking::Opening,
            Route::Session(_) | Route::Drop => {
                let session = connection.session();
                let ended = || Refusal::new(404, code::INVALID_REQUEST, "the session has just ended");
                Speaking::Session(session.ok_or_else(ended)?)
            }
        };
        if let Speaking::Session(session) = &speaking {
            session.set_initialized();
        }
        Ok(Self {
            connection: connection.clone(),
            mount,
            speaking,
        })
    }

    pub(crate) fn inner(&self) -> &Inner {
        self.connection.inner()
    }

    pub(crate) fn spoken(&self) -> Revisions {
        self.inner().server.settings().revisions
    }

    /// The revision that is spoken; what `initialize` itself is answered in, until it is negotiated.
    pub(crate) fn revision(&self) -> Revision {
        match &self.speaking {
            Speaking::Modern(revision) => *revision,
            Speaking::Opening => Revision::V2025_11_25,
            Speaking::Session(session) => session.revision(),
        }
    }

    pub(crate) fn era(&self) -> Era {
        self.revision().era()
    }

    pub(crate) fn session(&self) -> Option<&Arc<Session>> {
        match &self.speaking {
            Speaking::Session(session) => Some(session),
            Speaking::Modern(_) | Speaking::Opening => None,
        }
    }

    /// How long a call lives.
    pub(crate) fn lifetime(&self) -> Lifetime {
        match self.era() {
            Era::Handshake => Lifetime::Session,
            Era::Modern => Lifetime::Exchange,
        }
    }

    /// The calls of the conversation.
    pub(crate) fn calls(&self) -> &Arc<Calls> {
        self.session()
            .map_or(&self.inner().calls, |session| session.calls())
    }

    /// A token that is fired when what the call belongs to ends.
    pub(crate) fn cancel_token(&self) -> CancellationToken {
        match self.session() {
            Some(session) => session.ending().child_token(),
            None => self.inner().server.shared().stop.child_token(),
        }
    }

    /// From which level on the client wants log notes.
    pub(crate) fn log_level(&self, meta: &Meta) -> Option<LogLevel> {
        match self.session() {
            Some(session) => Some(session.level()),
            None => meta.get(LOG_LEVEL)?.parse().ok(),
        }
    }

    /// The context of the request, with no way back to the client.
    pub(crate) fn context(&self, meta: &Meta) -> CallContext {
        let info = &self.inner().info;
        info.context(&self.mount.namespace)
            .with_trace(trace(meta, &info.trace))
            .with_protocol(self.revision().as_str())
    }

    pub(crate) fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>, Refusal> {
        let catalog = self.mount.engine.catalog(cx);
        catalog.map_err(|error| Refusal::dispatched(&error, self.era()))
    }

    /// Refuses a method of something that the namespace neither has nor may get, like one that nobody knows: clients were told so.
    pub(crate) fn require(&self, catalog: &Catalog, kind: Kind, request: &Request) -> Result<(), Refusal> {
        match catalog.offers(kind) {
            true => Ok(()),
            false => Err(self.unknown(&request.method)),
        }
    }

    /// There is no such method. In the modern era that is refused like everything that is not dispatched.
    pub(crate) fn unknown(&self, method: &str) -> Refusal {
        let shown: String = method.chars().take(80).flat_map(char::escape_debug).collect();
        let text = format!("there is no method `{shown}` here");
        let status = match self.lifetime() {
            Lifetime::Session => 200,
            Lifetime::Exchange => 404,
        };
        Refusal::new(status, code::METHOD_NOT_FOUND, text)
    }

    /// The address that the request names.
    pub(crate) fn uri(&self, request: &Request) -> Result<ResourceUri, Refusal> {
        let uri = request.params.text("uri");
        uri.map(ResourceUri::from)
            .ok_or_else(|| Refusal::params("`params.uri` must be a text"))
    }

    /// Who answers, as the client is told.
    pub(crate) fn introduction(&self, catalog: &Catalog, revision: Revision) -> RawJson {
        let own = &self.inner().server.shared().info;
        own.introduce(&self.mount.namespace, catalog, revision)
    }

    /// Writes results; those of the modern era say who answers, for which they need the catalog.
    pub(crate) fn encoder(&self, catalog: Option<&Catalog>) -> Encoder {
        let catalog = catalog.filter(|_| self.era() == Era::Modern);
        let server = catalog.map(|catalog| self.introduction(catalog, self.revision()));
        let ttl = self.inner().server.settings().list_ttl;
        Encoder::new(self.revision(), server, ttl)
    }

    /// Enters a request that goes on for a while, so that it can be cancelled.
    pub(crate) fn enter(&self, id: &MessageId, cancel: CancellationToken) -> Result<Entered, Refusal> {
        self.calls().enter(id, cancel).ok_or_else(|| {
            Refusal::bad(
                code::INVALID_REQUEST,
                "a request of the same `id` still runs; give each its own",
            )
        })
    }

    /// The answer that carries a result.
    pub(crate) fn result(
        &self,
        request: &Request,
        catalog: Option<&Catalog>,
        room: usize,
        write: impl FnOnce(&mut ObjectWriter, &Encoder),
    ) -> Reply {
        let encoder = self.encoder(catalog);
        let body = encoder.result(&request.id, room, None, |out| write(out, &encoder));
        Reply::One(Answer { body, status: 200 })
    }
}

/// What the message says counts before what its carrier says.
fn trace(meta: &Meta, carrier: &TraceContext) -> TraceContext {
    let text = |name| meta.get(name).and_then(|value| value.parse::<Arc<str>>().ok());
    match text("traceparent") {
        Some(parent) => TraceContext {
            parent: Some(parent),
            state: text("tracestate"),
        },
        None => carrier.clone(),
    }
}
