//! A request's turn: everything a method needs besides the request.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tooldock_engine::{
    CallContext, Catalog, Mount,
    context::{LogLevel, TraceContext},
    json::ObjectWriter,
};

use crate::{
    call::{Calls, Lifetime},
    connection::{Answer, Connection, Inner, Reply},
    era::Route,
    methods::Encoder,
    refusal::{Refusal, code},
    revision::{Era, Revision, Revisions},
    session::Session,
    wire::{Meta, Request, names::LOG_LEVEL},
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
        let cx = CallContext::new(info.caller.clone(), self.mount.namespace.clone())
            .with_trace(trace(meta, &info.trace));
        match &info.request_id {
            Some(id) => cx.with_request_id(id.0.clone()),
            None => cx,
        }
    }

    pub(crate) async fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>, Refusal> {
        let catalog = self.mount.engine.catalog(cx).await;
        catalog.map_err(|error| Refusal::dispatched(&error, self.era()))
    }

    pub(crate) fn encoder(&self) -> Encoder {
        Encoder::new(self.revision(), &self.inner().server.shared().info)
    }

    /// The answer that carries a result.
    pub(crate) fn result(
        &self,
        request: &Request,
        room: usize,
        write: impl FnOnce(&mut ObjectWriter),
    ) -> Reply {
        let body = self.encoder().result(&request.id, room, None, write);
        Reply::One(Answer { body, status: 200 })
    }

    /// Writes how long a client may reuse the result, and that nobody else may.
    pub(crate) fn write_hints(&self, out: &mut ObjectWriter) {
        if self.era() == Era::Modern {
            let ttl = self.inner().server.settings().list_ttl.as_millis();
            out.number("ttlMs", i64::try_from(ttl).unwrap_or(i64::MAX))
                .string("cacheScope", "private");
        }
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
