//! What a running call tells its client.

use tooldock_engine::{
    RawJson,
    context::{LogLevel, Note},
};

use crate::{
    revision::{Feature, Revision},
    wire::{MessageId, write_notification},
};

/// Which notes the client of a call wants.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wishes {
    /// The client's own token for progress.
    pub(crate) progress: Option<MessageId>,
    /// From which level on it wants log notes.
    pub(crate) level: Option<LogLevel>,
}

impl Wishes {
    /// Whether it wants any.
    pub(crate) fn any(&self) -> bool {
        self.progress.is_some() || self.level.is_some()
    }
}

/// Writes notes as the client's revision has them.
#[derive(Debug)]
pub(crate) struct Voice {
    revision: Revision,
    token: Option<MessageId>,
}

impl Voice {
    pub(crate) fn new(revision: Revision, wishes: Wishes) -> Self {
        Self {
            revision,
            token: wishes.progress,
        }
    }

    /// The notification that carries `note`.
    pub(crate) fn write(&self, note: &Note) -> Option<RawJson> {
        match note {
            Note::Progress {
                progress,
                total,
                message,
            } => {
                let token = self.token.as_ref()?;
                let text = message
                    .as_deref()
                    .filter(|_| self.revision.has(Feature::ProgressText));
                Some(write_notification("notifications/progress", |params| {
                    params
                        .raw("progressToken", token.as_json())
                        .raw("progress", progress);
                    params.maybe("total", total.as_ref());
                    if let Some(text) = text {
                        params.string("message", text);
                    }
                }))
            }
            Note::Log { level, logger, data } => {
                let level = RawJson::from_serialize(level).ok()?;
                Some(write_notification("notifications/message", |params| {
                    params.raw("level", &level);
                    if let Some(logger) = logger {
                        params.string("logger", logger);
                    }
                    params.raw("data", data);
                }))
            }
            _ => None,
        }
    }
}
