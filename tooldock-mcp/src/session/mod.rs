//! Sessions of the handshake era.

mod id;
mod last_use;
mod limits;
mod memory;
mod order;
mod store;

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tooldock_engine::{NamespaceName, RawJson, context::LogLevel, context::Principal};

pub(crate) use self::last_use::LastUse;
pub use self::{id::SessionId, limits::SessionLimits, memory::MemorySessions, store::SessionStore};
use crate::{
    call::Calls,
    connection::Outbox,
    input::{Abilities, Asked},
    random::random,
    revision::Revision,
    stream::{EventLog, Streams},
    watch::{ResourceWatches, Told},
};

/// Whose session it is. Any other combination is answered as if the session did not exist.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner {
    /// Who opened it.
    pub principal: Principal,
    /// In which namespace.
    pub namespace: NamespaceName,
}

/// What client and server agreed on at `initialize`, and the calls that run since.
#[derive(Debug)]
pub struct Session {
    id: SessionId,
    owner: Owner,
    revision: Revision,
    capabilities: RawJson,
    abilities: Abilities,
    level: Mutex<LogLevel>,
    initialized: AtomicBool,
    outbox: Arc<Outbox>,
    calls: Arc<Calls>,
    asked: Arc<Asked>,
    told: Arc<Told>,
    resources: Arc<ResourceWatches>,
    streams: Streams,
    end: CancellationToken,
}

impl Session {
    /// A session that speaks `revision` with a client of these `capabilities` and keeps what it sends in `events`; it ends at the latest
    /// when `end` fires.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn open(
        owner: Owner,
        revision: Revision,
        capabilities: RawJson,
        outbox: Arc<Outbox>,
        events: Arc<dyn EventLog>,
        end: CancellationToken,
    ) -> tooldock_engine::Result<Self> {
        let (id, first) = (SessionId::generate()?, random()?);
        let streams = Streams::new(id.clone(), events, end.clone(), u64::from_be_bytes(first));
        Ok(Self {
            id,
            owner,
            revision,
            abilities: Abilities::read(&capabilities, revision),
            capabilities,
            level: Mutex::new(LogLevel::Info),
            initialized: AtomicBool::new(false),
            outbox,
            calls: Arc::default(),
            asked: Arc::default(),
            told: Arc::default(),
            resources: Arc::default(),
            streams,
            end,
        })
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Whose it is.
    #[must_use]
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// The revision that is spoken in it.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// What the client can do: a ClientCapabilities object.
    #[must_use]
    pub fn capabilities(&self) -> &RawJson {
        &self.capabilities
    }

    /// From which level on log notes are sent; `info` until the client says otherwise.
    #[must_use]
    pub fn level(&self) -> LogLevel {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_level(&self, level: LogLevel) {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = level;
    }

    /// Whether the client has said `notifications/initialized`, or asked for anything.
    #[must_use]
    pub fn is_initialized(&self) -> bool {
        self.initialized.load(Ordering::Relaxed)
    }

    pub(crate) fn set_initialized(&self) {
        self.initialized.store(true, Ordering::Relaxed);
    }

    /// Where messages go that the server sends on its own.
    #[must_use]
    pub fn outbox(&self) -> &Arc<Outbox> {
        &self.outbox
    }

    pub(crate) fn calls(&self) -> &Arc<Calls> {
        &self.calls
    }

    /// What the client can be asked.
    pub(crate) fn abilities(&self) -> Abilities {
        self.abilities
    }

    /// What the client has been asked and has not answered yet.
    pub(crate) fn asked(&self) -> &Arc<Asked> {
        &self.asked
    }

    /// Which lists the client has last been told of.
    pub(crate) fn told(&self) -> &Arc<Told> {
        &self.told
    }

    /// The resources that the client watches.
    pub(crate) fn resources(&self) -> &Arc<ResourceWatches> {
        &self.resources
    }

    /// The streams that carry what is sent in it.
    pub(crate) fn streams(&self) -> &Streams {
        &self.streams
    }

    pub(crate) fn ending(&self) -> &CancellationToken {
        &self.end
    }

    /// Whether calls of it run or a stream of it is open; such a session is in use, however long ago its last request was.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        !self.calls.is_empty() || self.outbox.is_read()
    }

    /// When its last call ended or its last stream was left, if any has; it is idle since then, unless a request came later.
    ///
    /// Ask first whether it [is busy](Self::is_busy): what ends in between is then seen here.
    #[must_use]
    pub fn last_use(&self) -> Option<Instant> {
        self.calls.last_use().max(self.outbox.last_use())
    }

    /// Whether neither it nor its owner [has ended](Principal::end).
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.end.is_cancelled() && !self.owner.principal.has_ended()
    }

    /// Ends it and every call that runs in it. Idempotent.
    pub fn end(&self) {
        self.end.cancel();
        self.outbox.close();
        self.resources.clear();
        self.streams.forget();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.end();
    }
}
