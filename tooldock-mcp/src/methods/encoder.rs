//! What each revision puts around a result.

use std::time::Duration;

use tooldock_engine::{
    EngineError, EngineReply, ErrorKind, RawJson, error::Result as EngineResult, json::ObjectWriter,
};

use crate::{
    input::Asking,
    refusal::Refusal,
    revision::{Era, Revision},
    wire::{MessageId, names::SERVER_INFO, write_result},
};

/// Writes results as a revision has them; the only place that knows what each revision puts around a result.
#[derive(Debug)]
pub(crate) struct Encoder {
    pub(crate) revision: Revision,
    /// Who answers, where results say so.
    server: Option<RawJson>,
    /// How long a client may reuse a list or a resource.
    ttl: Duration,
}

impl Encoder {
    pub(crate) fn new(revision: Revision, server: Option<RawJson>, ttl: Duration) -> Self {
        Self {
            revision,
            server,
            ttl,
        }
    }

    /// Writes how long a client may reuse the result, and that nobody else may.
    pub(crate) fn write_hints(&self, out: &mut ObjectWriter) {
        if self.revision.era() == Era::Modern {
            let ttl = i64::try_from(self.ttl.as_millis()).unwrap_or(i64::MAX);
            out.number("ttlMs", ttl).string("cacheScope", "private");
        }
    }

    /// A response that says why there is no result of the kind that was asked for.
    pub(crate) fn error(&self, id: &MessageId, outcome: EngineResult<EngineReply>) -> RawJson {
        let error = match outcome {
            Err(error) => error,
            Ok(EngineReply::InputRequired(_)) => EngineError::new(
                ErrorKind::InputRequired,
                "an answer from the client is needed, and it cannot be asked here",
            ),
            Ok(_) => EngineError::new(
                ErrorKind::Internal,
                "the namespace answered something else than what was asked",
            ),
        };
        Refusal::dispatched(&error, self.revision.era())
            .answer(Some(id))
            .body
    }

    /// A response with questions instead of a result.
    pub(crate) fn input_required(&self, id: &MessageId, asking: &Asking) -> RawJson {
        let room = asking.requests.len() + asking.state.len() + 256;
        write_result(id, room, |result| {
            result
                .string("resultType", "input_required")
                .raw("inputRequests", &asking.requests)
                .string("requestState", &asking.state);
            self.write_meta(result, None);
        })
    }

    fn write_meta(&self, result: &mut ObjectWriter, meta: Option<&RawJson>) {
        if self.server.is_some() || meta.is_some() {
            result.object("_meta", |out| {
                out.maybe(SERVER_INFO, self.server.as_ref());
                if let Some(meta) = meta {
                    out.members(meta, &[SERVER_INFO]);
                }
            });
        }
    }

    /// A response with a result: what `write` writes, and `meta`.
    pub(crate) fn result(
        &self,
        id: &MessageId,
        room: usize,
        meta: Option<&RawJson>,
        write: impl FnOnce(&mut ObjectWriter),
    ) -> RawJson {
        let modern = self.revision.era() == Era::Modern;
        write_result(id, room + 256, |result| {
            if modern {
                result.string("resultType", "complete");
            }
            write(result);
            self.write_meta(result, meta);
        })
    }
}
