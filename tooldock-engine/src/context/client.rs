//! The way back to the client while a call runs.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use tokio::sync::mpsc;

use super::Clock;
use crate::{EngineError, ErrorKind, error::Result, json::RawJson};

/// How many notes of one call may wait for a slow client before further ones are dropped.
pub const NOTES_WAITING: usize = 64;

/// How important a log note is, as syslog has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// What helps to find a mistake.
    Debug,
    /// What is worth knowing.
    Info,
    /// What is normal but matters.
    Notice,
    /// What may become a problem.
    Warning,
    /// What went wrong.
    Error,
    /// What keeps a part from working.
    Critical,
    /// What somebody has to act on at once.
    Alert,
    /// What keeps everything from working.
    Emergency,
}

/// Something a running call tells its client.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// How far the call is.
    Progress {
        /// Grows from note to note; a JSON number.
        progress: RawJson,
        /// What `progress` will reach, if known; a JSON number.
        total: Option<RawJson>,
        /// What is being done.
        message: Option<String>,
    },
    /// A log line.
    Log {
        /// How important.
        level: LogLevel,
        /// Which part of the tool speaks.
        logger: Option<String>,
        /// Any JSON value.
        data: RawJson,
    },
}

/// A kind of question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AskKind {
    /// `elicitation/create` with a form.
    ElicitForm,
    /// `elicitation/create` with a link.
    ElicitUrl,
    /// `sampling/createMessage`.
    Sample,
    /// `roots/list`.
    Roots,
}

impl AskKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::ElicitForm, Self::ElicitUrl, Self::Sample, Self::Roots];

    /// The MCP method that asks it.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            Self::ElicitForm | Self::ElicitUrl => "elicitation/create",
            Self::Sample => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }
}

/// A question to the client.
///
/// ```
/// use tooldock_engine::{RawJson, context::{Ask, AskKind}};
/// let params = serde_json::json!({"message": "Which branch?", "requestedSchema": {
///     "type": "object", "properties": {"branch": {"type": "string"}}, "required": ["branch"]}});
/// let ask = Ask::new(AskKind::ElicitForm, RawJson::from(params)).with_key("branch");
/// assert_eq!(ask.key.as_deref(), Some("branch"));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Ask {
    /// Its kind.
    pub kind: AskKind,
    /// The parameters of its method: an object.
    pub params: RawJson,
    /// What the question is called towards clients that give their answers by name; a door chooses a name where there is none.
    pub key: Option<Arc<str>>,
}

impl Ask {
    /// A question of `kind` with the parameters of its method, an object.
    #[must_use]
    pub const fn new(kind: AskKind, params: RawJson) -> Self {
        Self {
            kind,
            params,
            key: None,
        }
    }

    /// Names the question. Questions of one call that are open at the same time have different names; a door renames those that do not.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<Arc<str>>) -> Self {
        self.key = Some(key.into());
        self
    }
}

/// What a door offers to a running call; doors implement it, engines use [`Client`].
#[async_trait]
pub trait ClientChannel: fmt::Debug + Send + Sync + 'static {
    /// Whether the client can answer this kind of question.
    fn supports(&self, kind: AskKind) -> bool;

    /// Passes a note on. Never blocks; drops nothing while fewer than [`NOTES_WAITING`] notes wait.
    fn notify(&self, note: Note);

    /// Asks and waits for the result of the question's method: an object.
    ///
    /// # Errors
    /// [`InputRequired`](ErrorKind::InputRequired) when this door cannot ask, [`Cancelled`](ErrorKind::Cancelled) when the
    /// client is gone, [`Timeout`](ErrorKind::Timeout) when nobody answers.
    ///
    /// # Cancel safety
    /// Dropping the future withdraws the question.
    async fn ask(&self, ask: Ask) -> Result<RawJson>;
}

/// The way back to the client while a call runs. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct Client {
    channel: Arc<dyn ClientChannel>,
    clock: Clock,
}

impl Client {
    pub(super) fn new(channel: impl ClientChannel, clock: Clock) -> Self {
        Self {
            channel: Arc::new(channel),
            clock,
        }
    }

    pub(super) fn silent(clock: Clock) -> Self {
        Self::new(Silent, clock)
    }

    /// Whether the client can answer this kind of question.
    #[must_use]
    pub fn supports(&self, kind: AskKind) -> bool {
        self.channel.supports(kind)
    }

    /// Tells the client something. Never blocks; drops nothing while fewer than [`NOTES_WAITING`] notes wait.
    pub fn notify(&self, note: Note) {
        self.channel.notify(note);
    }

    /// Asks the client something, in whatever era it speaks. While it waits, the call's [`Clock`] stands still.
    ///
    /// # Errors
    /// As [`ClientChannel::ask`].
    ///
    /// # Cancel safety
    /// Dropping the future withdraws the question.
    pub async fn ask(&self, ask: Ask) -> Result<RawJson> {
        if !self.supports(ask.kind) {
            let text = format!(
                "the tool needs an answer from the client (`{}`), which this client cannot give",
                ask.kind.method()
            );
            return Err(EngineError::new(ErrorKind::InputRequired, text));
        }
        let _pause = self.clock.pause();
        self.channel.ask(ask).await
    }
}

/// A client that hears nothing and answers nothing.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

#[async_trait]
impl ClientChannel for Silent {
    fn supports(&self, _kind: AskKind) -> bool {
        false
    }
    fn notify(&self, _note: Note) {}
    async fn ask(&self, _ask: Ask) -> Result<RawJson> {
        Err(EngineError::new(
            ErrorKind::InputRequired,
            "the tool needs an answer from the client, and there is no client to ask",
        ))
    }
}

/// Where a door reads the notes of its call.
pub type NoteReceiver = mpsc::Receiver<Note>;

/// A client that can be told things but not asked, with the queue its door reads.
///
/// ```
/// use tooldock_engine::{CallContext, Caller, context::{Note, note_channel}, RawJson};
/// let (client, mut notes) = note_channel();
/// let cx = CallContext::new(Caller::local(), "demo".parse()?).with_client(client);
/// cx.client().notify(Note::Progress { progress: RawJson::from(serde_json::json!(1)), total: None, message: None });
/// assert!(matches!(notes.try_recv(), Ok(Note::Progress { .. })));
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[must_use]
pub fn note_channel() -> (impl ClientChannel, NoteReceiver) {
    let (sender, receiver) = mpsc::channel(NOTES_WAITING);
    (Notes(sender), receiver)
}

#[derive(Debug)]
struct Notes(mpsc::Sender<Note>);

#[async_trait]
impl ClientChannel for Notes {
    fn supports(&self, _kind: AskKind) -> bool {
        false
    }
    fn notify(&self, note: Note) {
        // A full queue means that the client does not read; a note more would not reach it either.
        self.0.try_send(note).ok();
    }
    async fn ask(&self, ask: Ask) -> Result<RawJson> {
        Silent.ask(ask).await
    }
}
