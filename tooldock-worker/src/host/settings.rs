//! What an operator may set.

use std::{fmt, path::PathBuf, time::Duration};

use crate::{absolute, process::Environment, sandbox::SandboxSettings};

/// Settings of a [`WorkerHost`](super::WorkerHost). Start from [`new`](Self::new) and change what differs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HostSettings {
    /// Where environments, the runtime and caches are kept.
    pub data_dir: PathBuf,
    /// The Python to build on, 3.10 or newer, by its path or by its name on `PATH`; `None` takes the first `python3` or
    /// `python` there.
    pub python: Option<PathBuf>,
    /// The gateway's environment, of which children inherit a few names.
    pub environment: Environment,
    /// How packages are installed.
    pub installer: InstallerSettings,
    /// What a worker may use.
    pub limits: WorkerLimits,
    /// How workers are confined.
    pub sandbox: SandboxSettings,
    /// Whether environments that no worker of this host uses are removed, but for the newest. `false` for a host beside another one that
    /// runs workers from the same data folder. Default: `true`.
    pub removes_environments: bool,
}

impl HostSettings {
    /// The defaults for a data folder, with an empty environment.
    #[must_use]
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            python: None,
            environment: Environment::default(),
            installer: InstallerSettings::default(),
            limits: WorkerLimits::default(),
            sandbox: SandboxSettings::default(),
            removes_environments: true,
        }
    }

    /// The same with absolute paths, so that they mean the same in whatever folder a child runs.
    pub(super) fn with_absolute_paths(mut self) -> Self {
        self.data_dir = absolute(self.data_dir);
        self.sandbox = self.sandbox.with_absolute_paths();
        self.installer.find_links = self.installer.find_links.map(absolute);
        // A bare name is looked up on the search path.
        self.python = self.python.map(|python| {
            if python.components().count() > 1 {
                absolute(python)
            } else {
                python
            }
        });
        self
    }
}

/// How packages are installed.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InstallerSettings {
    /// The package index, with credentials if it needs some; `None` is the installer's own default.
    pub index_url: Option<String>,
    /// A folder of wheels that is searched as well.
    pub find_links: Option<PathBuf>,
    /// Whether nothing is fetched: packages then come from `find_links` and from what was fetched before. Default: `false`.
    pub offline: bool,
    /// Whether namespaces need a [`Lock`](crate::disk::Lock) for what they ask of the index. Default: `false`.
    pub require_hashes: bool,
    /// Whether a package that is no wheel may be built, which runs its code. Default: `false`.
    pub source_builds: bool,
    /// How long one step of an installation may take. Default: 10 minutes.
    pub time_limit: Duration,
    /// Bytes of memory that one process of an installation may fill. Default: 4 GiB.
    pub memory: u64,
    /// Bytes that an installation may add to the disk, in its environment and in the cache. Default: 20 GiB.
    pub disk: u64,
    /// Installations that may run at the same time. Default: 2.
    pub builds_at_once: usize,
}

impl Default for InstallerSettings {
    fn default() -> Self {
        Self {
            index_url: None,
            find_links: None,
            offline: false,
            require_hashes: false,
            source_builds: false,
            time_limit: Duration::from_secs(600),
            memory: 4 << 30,
            disk: 20 << 30,
            builds_at_once: 2,
        }
    }
}

/// Without the index, whose address may hold credentials.
impl fmt::Debug for InstallerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstallerSettings")
            .field("find_links", &self.find_links)
            .field("offline", &self.offline)
            .field("require_hashes", &self.require_hashes)
            .field("source_builds", &self.source_builds)
            .field("time_limit", &self.time_limit)
            .field("memory", &self.memory)
            .field("disk", &self.disk)
            .field("builds_at_once", &self.builds_at_once)
            .finish_non_exhaustive()
    }
}

/// What a worker may use.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerLimits {
    /// How long its start may take, the import of all files included. Default: 30 s.
    pub start_time: Duration,
    /// Threads for synchronous tools. Default: 16.
    pub threads: usize,
    /// Bytes that a result may have, encoded as JSON: its content and its structure each. Default: 8 MiB.
    pub max_result_bytes: usize,
    /// How far apart the questions are whether a worker is alive, and how long each waits for its answer. Default: 5 s.
    pub ping_interval: Duration,
    /// A worker that leaves so many of them unanswered in turn, and uses no processor meanwhile, is replaced. Default: 3.
    pub missed_pings: u32,
    /// How long gateways let a call run whose tool names no `timeout`; `None` when that is not known. Default: `None`.
    pub call_time: Option<Duration>,
    /// A worker that takes no notice of a call's cancellation for so long after the call's time was up is replaced. Default: 5 s.
    pub overdue: Duration,
    /// A worker that holds more bytes of memory is replaced by a new one, which costs no call. Default: `None`, never.
    pub memory: Option<u64>,
    /// A worker that is older is replaced by a new one, which costs no call. Default: `None`, never.
    pub lifetime: Option<Duration>,
    /// A namespace without a request for so long has its processes ended; its next request starts them again and waits for it.
    /// Threads of the tools end with them. Default: `None`, never.
    pub idle: Option<Duration>,
}

impl Default for WorkerLimits {
    fn default() -> Self {
        Self {
            start_time: Duration::from_secs(30),
            threads: 16,
            max_result_bytes: 8 << 20,
            ping_interval: Duration::from_secs(5),
            missed_pings: 3,
            call_time: None,
            overdue: Duration::from_secs(5),
            memory: None,
            lifetime: None,
            idle: None,
        }
    }
}
