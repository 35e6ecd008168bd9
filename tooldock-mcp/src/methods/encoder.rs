//! What each revision puts around a result.

use tooldock_engine::{RawJson, json::ObjectWriter};

use crate::{
    revision::{Era, Revision},
    wire::{MessageId, names::SERVER_INFO, write_result},
};

/// Writes results as a revision has them; the only place that knows what each revision puts around a result.
#[derive(Debug)]
pub(crate) struct Encoder {
    pub(crate) revision: Revision,
    /// Who answers, where results say so.
    server: Option<RawJson>,
}

impl Encoder {
    pub(crate) fn new(revision: Revision, server: Option<RawJson>) -> Self {
        Self { revision, server }
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
            if self.server.is_some() || meta.is_some() {
                result.object("_meta", |out| {
                    out.maybe(SERVER_INFO, self.server.as_ref());
                    if let Some(meta) = meta {
                        out.members(meta, &[SERVER_INFO]);
                    }
                });
            }
        })
    }
}
