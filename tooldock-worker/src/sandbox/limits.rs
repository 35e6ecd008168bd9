//! Limits of one process.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{Sandbox, SandboxSettings};

/// Limits of one process, ready to be set.
#[derive(Debug, Clone)]
pub(super) struct Limits(Vec<(Resource, Rlimit)>);

impl Limits {
    /// What `settings` allow, and never more than this process itself may have. There are no core files in any case.
    pub(super) fn new(settings: &SandboxSettings) -> Self {
        let wanted = [
            (Resource::Data, settings.memory),
            (Resource::Fsize, settings.file_size),
            (Resource::Nofile, settings.open_files),
        ];
        let wanted = wanted.into_iter().filter(|_| settings.mode != Sandbox::Off);
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
        Self(wanted.chain([(Resource::Core, 0)]).map(bounded).collect())
    }

    /// Sets them for this process. Makes system calls and nothing else.
    pub(super) fn enter(&self) -> io::Result<()> {
        for (resource, limit) in &self.0 {
            setrlimit(*resource, *limit)?;
        }
        Ok(())
    }
}
