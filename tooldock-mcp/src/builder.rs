//! Putting a server together.

use std::sync::Arc;

use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tooldock_engine::Mounts;

use crate::{
    input::{Desk, SealKey},
    model::Implementation,
    server::{Server, Shared},
    session::{MemorySessions, SessionStore},
    settings::Settings,
    stream::{EventLog, MemoryEvents},
    watch::{Cap, Places},
};

/// Puts a [`Server`] together.
#[derive(Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct ServerBuilder {
    mounts: Arc<dyn Mounts>,
    info: Implementation,
    settings: Settings,
    sessions: Option<Arc<dyn SessionStore>>,
    events: Option<Arc<dyn EventLog>>,
    seal: Option<SealKey>,
}

impl ServerBuilder {
    pub(crate) fn new(mounts: Arc<dyn Mounts>) -> Self {
        Self {
            mounts,
            info: Implementation::new("tooldock", env!("CARGO_PKG_VERSION")),
            settings: Settings::default(),
            sessions: None,
            events: None,
            seal: None,
        }
    }

    /// What the server calls itself towards clients: `tooldock` and the version of this crate unless set.
    pub fn info(mut self, name: &str, version: &str) -> Self {
        self.info = Implementation::new(name, version);
        self
    }

    /// Replaces the settings.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Keeps sessions in `store` instead of in memory.
    pub fn sessions(mut self, store: Arc<dyn SessionStore>) -> Self {
        self.sessions = Some(store);
        self
    }

    /// Keeps what was sent in `log` instead of in memory, for clients that come back.
    pub fn events(mut self, log: Arc<dyn EventLog>) -> Self {
        self.events = Some(log);
        self
    }

    /// Seals the state that clients keep with `key` instead of one of its own: for servers that read each other's.
    pub fn seal(mut self, key: SealKey) -> Self {
        self.seal = Some(key);
        self
    }

    /// The server. Opens nothing and starts nothing.
    #[must_use]
    pub fn build(self) -> Server {
        let (limits, replay) = (self.settings.sessions, self.settings.replay);
        let (calls, closing) = (TaskTracker::new(), CancellationToken::new());
        let desk = Desk::new(self.settings.input, self.seal, calls.clone(), closing.clone());
        Server::new(Shared {
            mounts: self.mounts,
            info: self.info,
            sessions: self
                .sessions
                .unwrap_or_else(|| Arc::new(MemorySessions::new(limits))),
            events: self.events.unwrap_or_else(|| Arc::new(MemoryEvents::new(replay))),
            calls,
            desk,
            conversations: Arc::default(),
            places: Places::new(
                "streams",
                Cap(self.settings.streams_per_principal, "MCP_STREAMS_PER_PRINCIPAL"),
                Cap(self.settings.streams, "MCP_STREAMS"),
            ),
            closing,
            stop: CancellationToken::new(),
            settings: self.settings,
        })
    }
}
