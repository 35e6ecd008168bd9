//! When a process that serves is better replaced by a new one.

use std::{fmt, future::pending, time::Duration};

use tokio::time::{Instant, sleep, sleep_until};

use super::session::Session;
use crate::{host::WorkerLimits, process::Usage, rpc::Connection};

/// Looks at memory that a process lives through before it may be replaced for it, so that one that is large from the start does not
/// have the namespace start all the time.
const LOOKS: u32 = 10;

/// Why a process is better replaced. `Display` continues the sentence "the worker is replaced: …".
#[derive(Debug)]
pub(super) enum Wear {
    /// Half of its threads run calls that nobody waits for.
    Threads(usize),
    /// It holds so many bytes of memory.
    Memory(u64),
    /// It is so old.
    Age(Duration),
    /// It could not load tools, and somebody says that it is worth another try.
    Incomplete,
}

/// What is looked at of a process that serves.
#[derive(Debug)]
pub(super) struct Life {
    connection: Connection,
    pid: Option<u32>,
    started: Instant,
}

impl Life {
    pub(super) fn of(session: &Session) -> Self {
        Self {
            connection: session.connection.clone(),
            pid: session.pid,
            started: session.started,
        }
    }

    /// Returns when the process is worn.
    pub(super) async fn worn(&self, limits: &WorkerLimits) -> Wear {
        tokio::select! {
            count = self.connection.abandoned_half_of(limits.threads) => Wear::Threads(count),
            bytes = self.grown(limits) => Wear::Memory(bytes),
            age = self.aged(limits.lifetime) => Wear::Age(age),
        }
    }

    async fn grown(&self, limits: &WorkerLimits) -> u64 {
        let (Some(most), Some(pid)) = (limits.memory, self.pid) else {
            return pending().await;
        };
        sleep_until(self.started + limits.ping_interval * LOOKS).await;
        loop {
            let bytes = Usage::of(pid).map_or(0, |usage| usage.resident);
            if bytes > most {
                return bytes;
            }
            sleep(limits.ping_interval).await;
        }
    }

    async fn aged(&self, lifetime: Option<Duration>) -> Duration {
        let Some(lifetime) = lifetime else {
            return pending().await;
        };
        sleep_until(self.started + lifetime).await;
        lifetime
    }
}

impl fmt::Display for Wear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads(count) => write!(f, "threads of {count} cancelled calls still run"),
            Self::Memory(bytes) => write!(f, "it holds {} MiB of memory (WORKER_RECYCLE_MB)", bytes >> 20),
            Self::Age(age) => write!(f, "it is {} s old (WORKER_LIFETIME_SECONDS)", age.as_secs()),
            Self::Incomplete => f.write_str("its files are worth another try"),
        }
    }
}
