//! The way of records into the queue.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, SystemTime},
};

use serde::Serialize;
use tooldock_engine::{EngineError, ErrorKind, error::Result};

use super::{AuditSettings, call, denied, queue::Queue};
use crate::{
    http::Denial,
    layers::{Audit, CallRecord},
};

/// What time it is; another one in tests.
pub(super) type Now = dyn Fn() -> SystemTime + Send + Sync;

/// Keeps records of requests: what an [`AuditLayer`](crate::layers::AuditLayer) is given. Clones are the same log.
#[derive(Clone)]
pub struct AuditLog(pub(super) Arc<Shared>);

/// What the log and its writer share.
pub(super) struct Shared {
    pub(super) settings: AuditSettings,
    pub(super) queue: Queue,
    pub(super) now: Box<Now>,
}

/// How an audit log does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AuditStatus {
    /// Records written since the start.
    pub written: u64,
    /// Records that were not kept since the start, because the queue was full or the program ended.
    pub lost: u64,
    /// Places of the queue that are taken.
    pub waiting: usize,
    /// Why records cannot be written right now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

impl AuditLog {
    /// How it does right now.
    #[must_use]
    pub fn status(&self) -> AuditStatus {
        self.0.queue.status()
    }

    /// Keeps a record of a request that was turned away, for [`Denials`](crate::http::Denials). Where there is no room it is lost: nobody
    /// is let in for want of it.
    pub fn deny(&self, denial: &Denial<'_>) {
        let Shared { queue, now, .. } = &*self.0;
        queue.push(&denied::line(denial, now()), false);
    }
}

impl Audit for AuditLog {
    fn admit(&self) -> Result<()> {
        if !self.0.settings.fail_closed || self.0.queue.reserve() {
            return Ok(());
        }
        let text = "calls are refused while they cannot be recorded (AUDIT_FAIL_CLOSED); the operator finds the reason in the log of the gateway, and more room with AUDIT_QUEUE";
        Err(EngineError::new(ErrorKind::Unavailable, text).with_retry_after(Duration::from_secs(1)))
    }

    fn record(&self, record: &CallRecord<'_>) {
        let Shared { settings, queue, now } = &*self.0;
        queue.push(&call::line(record, now(), settings), settings.fail_closed);
    }
}

impl fmt::Debug for AuditLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditLog")
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}
