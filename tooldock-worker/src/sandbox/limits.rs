//! Limits of one process.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use tokio::process::Command;

use super::{Sandbox, SandboxSettings, cage::begin_with};

/// Limits of one process, ready to be set.
#[derive(Debug, Clone)]
pub(crate) struct Limits(Vec<(Resource, Rlimit)>);

impl Limits {
    /// What `settings` allow, and never more than this process itself may have. There are no core files in any case.
    pub(super) fn new(settings: &SandboxSettings) -> Self {
        let wanted = [
            (Resource::Data, settings.memory),
            (Resource::Fsize, settings.file_size),
            (Resource::Nofile, settings.open_files),
        ];
        Self::of(wanted.into_iter().filter(|_| settings.mode != Sandbox::Off))
    }

    /// What an installer may fill: bytes of memory, and bytes of one file.
    pub(crate) fn of_installer(memory: u64, file_size: u64) -> Self {
        Self::of([(Resource::Data, memory), (Resource::Fsize, file_size)])
    }

    fn of(wanted: impl IntoIterator<Item = (Resource, u64)>) -> Self {
        let bounded = |(resource, limit): (Resource, u64)| {
            let limit = getrlimit(resource).maximum.map_or(limit, |most| limit.min(most));
            let both = Some(limit);
            (
                resource,
                Rlimit {
                    current: both,
                    maximum: both,
                },
            )
        };
        Self(
            wanted
                .into_iter()
                .chain([(Resource::Core, 0)])
                .map(bounded)
                .collect(),
        )
    }

    /// Puts them on the process that `command` starts.
    pub(crate) fn put_on(self, command: &mut Command) {
        begin_with(command, move || self.enter());
    }

    /// Sets them for this process. Makes system calls and nothing else.
    pub(super) fn enter(&self) -> io::Result<()> {
        for (resource, limit) in &self.0 {
            setrlimit(*resource, *limit)?;
        }
        Ok(())
    }
}
