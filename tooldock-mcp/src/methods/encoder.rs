//! What each revision puts around a result.

use tooldock_engine::{RawJson, json::ObjectWriter};

use crate::{
    model::Implementation,
    revision::{Era, Revision},
    wire::{MessageId, names::SERVER_INFO, write_result},
};

/// Writes results as a revision has them; the only place that knows what each revision puts around a result.
#[derive(Debug)]
pub(crate) struct Encoder {
    pub(crate) revision: Revision,
    server: RawJson,
}

impl Encoder {
    pub(crate) fn new(revision: Revision, server: &Implementation) -> Self {
        Self {
            revision,
            server: server.as_json().clone(),
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
            if modern || meta.is_some() {
                result.object("_meta", |out| {
                    if modern {
                        out.raw(SERVER_INFO, &self.server);
                    }
                    if let Some(meta) = meta {
                        out.members(meta, &[SERVER_INFO]);
                    }
                });
            }
        })
    }
}
