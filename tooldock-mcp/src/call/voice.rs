//! What a running call tells its client.

use async_trait::async_trait;
use tooldock_engine::{
    RawJson,
    context::{Ask, AskKind, ClientChannel, LogLevel, Note, NoteReceiver, note_channel},
    error::Result,
};

use crate::{
    revision::{Feature, Revision},
    wire::{MessageId, write_notification},
};

/// Which notes the client of a call wants.
#[derive(Debug, Clone)]
pub(crate) struct Wishes {
    /// The client's own token for progress.
    pub(crate) progress: Option<MessageId>,
    /// From which level on it wants log notes.
    pub(crate) level: Option<LogLevel>,
}

/// Writes notes as the client's revision has them.
#[derive(Debug)]
pub(crate) struct Voice {
    revision: Revision,
    token: Option<MessageId>,
}

impl Wishes {
    /// The client as its call sees it, and where to read what it is told; nothing if it wants to hear nothing.
    pub(crate) fn open(&self) -> Option<(impl ClientChannel + use<>, NoteReceiver)> {
        if self.progress.is_none() && self.level.is_none() {
            return None;
        }
        let (inner, notes) = note_channel();
        let wanted = Wanted {
            inner,
            progress: self.progress.is_some(),
            level: self.level,
        };
        Some((wanted, notes))
    }
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

/// Lets through what the client wants to hear.
#[derive(Debug)]
struct Wanted<C> {
    inner: C,
    progress: bool,
    level: Option<LogLevel>,
}

#[async_trait]
impl<C: ClientChannel> ClientChannel for Wanted<C> {
    fn supports(&self, kind: AskKind) -> bool {
        self.inner.supports(kind)
    }

    fn notify(&self, note: Note) {
        let wanted = match &note {
            Note::Progress { .. } => self.progress,
            Note::Log { level, .. } => self.level.is_some_and(|least| *level >= least),
            _ => false,
        };
        if wanted {
            self.inner.notify(note);
        }
    }

    async fn ask(&self, ask: Ask) -> Result<RawJson> {
        self.inner.ask(ask).await
    }
}
