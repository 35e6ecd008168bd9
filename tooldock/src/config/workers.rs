//! The settings of worker processes.

use std::time::Duration;

use tooldock_worker::{HostSettings, WorkerLimits};

use super::{CoreSettings, reader::Reader};

impl CoreSettings {
    /// What a [`WorkerHost`](tooldock_worker::WorkerHost) is given of these settings.
    #[must_use]
    pub fn worker_host(&self) -> HostSettings {
        let mut host = HostSettings::new(&self.data_dir);
        host.python.clone_from(&self.python);
        host.installer = self.installer.clone();
        host.limits = self.workers.clone();
        host.sandbox = self.sandbox.clone();
        host.environment = self.environment.clone().into_iter().collect();
        host
    }
}

/// Reads what workers may use and when they are replaced; 0 switches a rule off. Calls may take `call_time`.
pub(super) fn read(read: &mut Reader<'_>, call_time: Duration) -> WorkerLimits {
    let mut limits = WorkerLimits::default();
    limits.call_time = Some(call_time);
    limits.start_time = read.seconds("WORKER_START_SECONDS", 1..=3600);
    limits.memory = rule(read.number("WORKER_RECYCLE_MB", 0..=1 << 20)).map(|mebibytes| mebibytes << 20);
    let mut seconds = |name| rule(read.number(name, 0..=31_536_000)).map(Duration::from_secs);
    limits.lifetime = seconds("WORKER_LIFETIME_SECONDS");
    limits.idle = seconds("WORKER_IDLE_SECONDS");
    limits
}

fn rule(value: u64) -> Option<u64> {
    (value > 0).then_some(value)
}
