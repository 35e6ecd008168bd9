//! Noticing that a worker has started more processes than it may.

use std::time::Duration;

use tokio::{task::spawn_blocking, time::sleep};

use super::watchdog::Stuck;
use crate::{
    process::count_below,
    sandbox::{Sandbox, SandboxSettings},
};

/// How often a worker's processes are counted.
const LOOK: Duration = Duration::from_secs(1);

/// Counts the processes of one worker again and again.
#[derive(Debug)]
pub(super) struct Crowd<'a> {
    /// The process above the worker.
    pub warden: Option<u32>,
    pub settings: &'a SandboxSettings,
}

impl Crowd<'_> {
    /// Returns when there are too many.
    pub(super) async fn watch(self) -> Stuck {
        let most = self.settings.processes;
        let watched = self.warden.filter(|_| self.settings.mode != Sandbox::Off);
        let Some(warden) = watched else {
            return std::future::pending().await;
        };
        loop {
            sleep(LOOK).await;
            let count = spawn_blocking(move || count_below(warden))
                .await
                .unwrap_or_default();
            if count > most {
                return Stuck::Crowd(count, most);
            }
        }
    }
}
