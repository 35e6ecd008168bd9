//! Noticing that a worker is there and does nothing any more.

use std::{fmt, time::Duration};

use tokio::time::{sleep, timeout};

use crate::{host::WorkerLimits, process::Usage, rpc::Connection};

/// Processor time that a process which does nothing may still use between two questions.
const IDLE: Duration = Duration::from_millis(10);

/// Asks one worker again and again whether it is alive.
#[derive(Debug)]
pub(super) struct Watchdog<'a> {
    pub connection: Connection,
    pub pid: Option<u32>,
    pub limits: &'a WorkerLimits,
}

/// Why a worker is given up. `Display` continues the sentence "the worker …".
#[derive(Debug)]
pub(super) enum Stuck {
    /// So many questions in turn went unanswered, so far apart, and it used no processor meanwhile.
    Silent(u32, Duration),
    /// It takes no notice of cancellations so long after the time of their calls was up.
    Deaf(Duration),
    /// It has started so many processes, of so many that it may.
    Crowd(usize, usize),
}

impl Watchdog<'_> {
    /// Returns when the worker is stuck.
    pub(super) async fn watch(self) -> Stuck {
        let limits = self.limits;
        let (mut missed, mut used) = (0, None);
        loop {
            if missed == 0 {
                sleep(limits.ping_interval).await;
            }
            // An error is an answer too: of a connection that has ended, which others notice.
            if timeout(limits.ping_interval, self.connection.ping())
                .await
                .is_ok()
            {
                missed = 0;
            } else {
                let now = self.pid.and_then(Usage::of).map(|usage| usage.processor);
                let works = now.zip(used).is_some_and(|(now, used)| now > used + IDLE);
                missed = if works { 1 } else { missed + 1 };
                // Compared is with the first miss, so that slow work adds up.
                used = if works || missed == 1 { now } else { used };
            }
            if missed >= limits.missed_pings {
                return Stuck::Silent(missed, limits.ping_interval);
            }
            if self.connection.is_deaf(limits.overdue) {
                return Stuck::Deaf(limits.overdue);
            }
        }
    }
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent(count, interval) => write!(
                f,
                "did not answer {count} times in turn, {} s each, and used no processor meanwhile",
                interval.as_secs_f32()
            ),
            Self::Crowd(count, most) => write!(
                f,
                "has started {count} processes, more than the {most} that it may (WORKER_PROCESSES),"
            ),
            Self::Deaf(overdue) => write!(
                f,
                "could not be told to end a call {} s after its time was up",
                overdue.as_secs_f32()
            ),
        }
    }
}
