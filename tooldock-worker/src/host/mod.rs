//! Where workers come from: one host for all namespaces of a data folder.

mod aside;
mod launch;
mod options;
mod progress;
mod settings;

use std::path::{Path, PathBuf};

use tokio::sync::{OnceCell, broadcast};
use tooldock_engine::{EngineError, ErrorKind, error::Result, secret::Secrets};

pub use self::{
    options::NamespaceOptions,
    progress::{LogProgress, Progress},
    settings::{HostSettings, InstallerSettings, WorkerLimits},
};
use crate::{
    disk::{NamespaceFolder, check_variable},
    engine::WorkerEngine,
    output::LogTail,
    runtime,
    sandbox::{Isolation, TempFolder},
    supervise::Plan,
    venv::Environments,
};

/// Where the folders for temporary files are made, below the data folder.
const TEMPS: &str = "tmp";
/// Hints that a slow listener may have waiting; of more he is told that he has missed some.
const CHANGES: usize = 64;

/// Starts workers. Owns the runtime on disk and all environments below one data folder.
///
/// ```no_run
/// use tooldock_worker::{HostSettings, LogProgress, NamespaceOptions, ToolsFolder, WorkerHost};
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let mut settings = HostSettings::new("/var/lib/tooldock");
/// settings.environment = [("PATH".to_owned(), "/usr/bin:/bin".to_owned())].into_iter().collect();
/// let host = WorkerHost::new(settings);
/// let tools = ToolsFolder::subfolders("/var/lib/tooldock/tools");
/// for folder in tokio::task::spawn_blocking(move || tools.scan()).await??.namespaces {
///     let engine = host.start(&folder, &NamespaceOptions::default(), Default::default(), &LogProgress).await?;
/// }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct WorkerHost {
    settings: HostSettings,
    prepared: OnceCell<Prepared>,
}

/// What every start needs.
#[derive(Debug)]
struct Prepared {
    /// The data folder without links in it.
    data_dir: PathBuf,
    /// The file that starts the runtime.
    script: PathBuf,
    environments: Environments,
}

impl WorkerHost {
    /// A host that has done nothing yet. Relative paths in `settings` count from the folder that is current now.
    #[must_use]
    pub fn new(settings: HostSettings) -> Self {
        Self {
            settings: settings.with_absolute_paths(),
            prepared: OnceCell::new(),
        }
    }

    /// Finds Python, writes the runtime and builds the base environment, unless all of it is there. The first
    /// [`start`](Self::start) would do it as well.
    ///
    /// # Errors
    /// [`Dependency`](ErrorKind::Dependency) when there is no Python that is new enough, or the data folder cannot be written. A
    /// base environment that cannot be filled is no error: workers then use the built-in validator, and the next
    /// [`start`](Self::start) that needs it tries again.
    ///
    /// # Cancel safety
    /// Dropping the future stops a running installation; the next call begins again.
    pub async fn prepare(&self, progress: &dyn Progress) -> Result<()> {
        let prepared = self.prepared().await?;
        prepared.environments.base(progress).await.map(drop)
    }

    async fn prepared(&self) -> Result<&Prepared> {
        self.prepared.get_or_try_init(|| self.make_ready()).await
    }

    async fn make_ready(&self) -> Result<Prepared> {
        let data_dir = self.settings.data_dir.clone();
        let written = tokio::task::spawn_blocking(move || {
            std::fs::create_dir_all(&data_dir)?;
            let data_dir = data_dir.canonicalize()?;
            TempFolder::sweep(&data_dir.join(TEMPS));
            let script = runtime::install(&data_dir)?;
            std::io::Result::Ok((data_dir, script))
        });
        let written = written.await.map_err(std::io::Error::from).flatten();
        let (data_dir, script) =
            written.map_err(|error| unwritable(&self.settings.data_dir, &error.to_string()))?;
        let environments = Environments::open(&self.settings).await?;
        environments.compile(&script).await;
        Isolation::expected(self.settings.sandbox.clone()).log();
        Ok(Prepared {
            data_dir,
            script,
            environments,
        })
    }

    /// Starts the worker of a namespace and waits until its files are loaded. Of several workers it waits for the first.
    ///
    /// Packages are installed first if they are not there. Declared secrets without a value do not stop it: a tool that needs one
    /// says so when it is called. Files that do not load are part of the [report](WorkerEngine::report).
    ///
    /// # Errors
    /// [`Dependency`](ErrorKind::Dependency) when the folder has a problem, an option is out of range, packages cannot be installed,
    /// a secret has a name that is not allowed, or the process ends or hangs before it is ready. Nothing that runs is touched.
    ///
    /// # Cancel safety
    /// Dropping the future stops the installation or kills the process.
    pub async fn start(
        &self,
        folder: &NamespaceFolder,
        options: &NamespaceOptions,
        secrets: Secrets,
        progress: &dyn Progress,
    ) -> Result<WorkerEngine> {
        check(folder, "started")?;
        options.check(&folder.name)?;
        for (name, value) in &secrets {
            check_variable(name, value.expose()).map_err(|error| {
                EngineError::new(
                    ErrorKind::Dependency,
                    format!("a secret of `{}`: {error}", folder.name),
                )
            })?;
        }
        let prepared = self.prepared().await?;
        let environments = &prepared.environments;
        let python = match folder.packages.is_empty() {
            true => environments.base(progress).await?,
            false => environments.own(&folder.name, &folder.packages, progress).await?,
        };
        let home = self.home(prepared, &folder.name).await?;
        let launch = self.launch(prepared, folder, options, python, home);
        let plan = Plan {
            launch,
            manifest: folder.manifest.clone(),
            environment: options.environment.clone(),
            waiting: options.waiting.clone(),
            redactor: options.redactor.clone(),
            secrets,
            limits: self.settings.limits.clone(),
            tail: LogTail::default(),
            changes: broadcast::Sender::new(CHANGES),
        };
        WorkerEngine::start(plan, options.workers).await
    }
}

/// Refuses a namespace whose folder has a problem.
fn check(folder: &NamespaceFolder, what: &str) -> Result<()> {
    match &folder.problem {
        Some(problem) => {
            let text = format!("the namespace `{}` cannot be {what}: {problem}", folder.name);
            Err(EngineError::new(ErrorKind::Dependency, text))
        }
        None => Ok(()),
    }
}

fn unwritable(data_dir: &Path, what: &str) -> EngineError {
    let text = format!(
        "the data folder `{}` cannot be written: {what}",
        data_dir.display()
    );
    EngineError::new(ErrorKind::Dependency, text)
}
