//! One worker process: started clean, read to the end, never left behind.

mod census;
mod environment;
mod exit;
mod group;
mod usage;
mod warden;

use std::{
    io,
    os::{fd::OwnedFd, unix::net::UnixStream as StdStream},
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::Signal;
use tokio::{
    net::UnixStream,
    process::{Child, Command},
    time::timeout,
};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::NamespaceName;

use self::warden::Warden;
pub(crate) use self::{census::count_below, exit::Exit};
pub use self::{environment::Environment, group::ProcessGroup, usage::Usage};
use crate::{
    output::{LogStream, OutputLog},
    sandbox::{Cage, Confines, TempFolder},
    venv::Python,
};

/// How long the pipes of a dead process may still hold something.
const PIPES_GRACE: Duration = Duration::from_millis(100);

/// How long a warden may take to end everything; a little more than it takes itself to give up.
const KILL_GRACE: Duration = Duration::from_secs(5);

/// How a worker is started.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub namespace: NamespaceName,
    /// Python of the namespace's environment, absolute.
    pub python: Python,
    /// The entry file of the runtime.
    pub script: PathBuf,
    /// The namespace's folder.
    pub dir: PathBuf,
    /// What its tools keep.
    pub home: PathBuf,
    /// Who the worker is; `None` is who the gateway is.
    pub user: Option<u32>,
    /// Where the folders for temporary files are made.
    pub temps: PathBuf,
    pub environment: Environment,
    pub confines: Confines,
}

impl Launch {
    /// The process with a clean environment, without its channel.
    fn command(&self, temp: &TempFolder) -> Command {
        let mut command = Command::new(&*self.python);
        command
            .args(["-I", "-X", "utf8"])
            .arg(&self.script)
            .args(["--namespace", self.namespace.as_str(), "--dir"])
            .arg(&self.dir)
            .env_clear()
            .envs(self.environment.for_worker())
            .env("HOME", &self.home)
            .env("TMPDIR", temp.path())
            .current_dir(&self.dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(user) = self.user {
            // No other groups come along.
            command.uid(user).gid(user);
        }
        command
    }

    /// The error of a start that failed, with what it was about.
    fn explain(&self, error: &io::Error) -> io::Error {
        let (python, dir) = (self.python.display(), self.dir.display());
        let user = self.user.map(|user| format!(" as the user {user}"));
        let user = user.unwrap_or_default();
        io::Error::new(
            error.kind(),
            format!("`{python}` in the folder `{dir}`{user}: {error}"),
        )
    }
}

/// A worker process below its warden. Dropping it kills everything that the worker has started.
#[derive(Debug)]
pub(crate) struct WorkerProcess {
    child: Child,
    warden: Warden,
    output: OutputLog,
    pipes: Vec<AbortOnDropHandle<()>>,
    temp: TempFolder,
    tasks: TaskTracker,
}

impl WorkerProcess {
    /// Starts a worker; the stream is our end of its channel. `tasks` is where its pipes are read.
    pub(crate) fn spawn(
        launch: &Launch,
        output: OutputLog,
        tasks: &TaskTracker,
    ) -> io::Result<(Self, UnixStream)> {
        let (ours, theirs) = StdStream::pair()?;
        ours.set_nonblocking(true)?;
        let stream = UnixStream::from_std(ours)?;
        let temp = TempFolder::new_in(&launch.temps, launch.user)?;
        let mut command = launch.command(&temp);
        command.stdin(Stdio::from(OwnedFd::from(theirs)));
        Cage::build(&launch.confines.clone().with_temp(temp.path()))?.close_around(&mut command);
        let mut child = command.spawn().map_err(|error| launch.explain(&error))?;
        let warden = Warden::of(child.id());
        let follow = |task| AbortOnDropHandle::new(task);
        let mut pipes = Vec::new();
        if let Some(pipe) = child.stdout.take() {
            pipes.push(follow(
                tasks.spawn(output.clone().follow(LogStream::Stdout, pipe)),
            ));
        }
        if let Some(pipe) = child.stderr.take() {
            pipes.push(follow(
                tasks.spawn(output.clone().follow(LogStream::Stderr, pipe)),
            ));
        }
        Ok((
            Self {
                child,
                warden,
                output,
                pipes,
                temp,
                tasks: tasks.clone(),
            },
            stream,
        ))
    }

    /// The process above the worker, while it runs.
    pub(crate) fn warden(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits until the process has ended and is reaped.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await;
        if status.is_ok() {
            self.warden.forget();
        }
        status
    }

    /// Asks the process for the stacks of its threads, and gives it `grace` to print them.
    pub(crate) async fn dump(&mut self, grace: Duration) {
        if self.warden.signal(Signal::USR1) {
            timeout(grace, self.wait()).await.ok();
        }
    }

    /// Ends everything: TERM, up to `grace`, then KILL; reaps the process and tells how it ended.
    pub(crate) async fn end(mut self, grace: Duration) -> Exit {
        if !grace.is_zero() {
            self.warden.signal(Signal::TERM);
            timeout(grace, self.wait()).await.ok();
        }
        self.warden.end();
        let mut status = timeout(KILL_GRACE, self.wait()).await.ok();
        if status.is_none() {
            // What its warden could not end hangs in the kernel; a worker goes with its warden as soon as it can.
            self.warden.signal(Signal::KILL);
            status = timeout(PIPES_GRACE, self.wait()).await.ok();
        }
        for pipe in &mut self.pipes {
            timeout(PIPES_GRACE, pipe).await.ok();
        }
        // It may hold much.
        let temp = self.temp;
        self.tasks.spawn_blocking(move || drop(temp));
        Exit::read(status.and_then(Result::ok), &self.output)
    }
}

/// The program `name` in the folders of `PATH`.
pub(crate) fn find_program(environment: &Environment, name: &str) -> Option<PathBuf> {
    environment
        .search_path()
        .map(|folder| folder.join(name))
        .find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::LogTail;

    #[tokio::test]
    async fn a_start_that_fails_names_what_was_to_be_started_and_where() {
        let temps = tempfile::tempdir().unwrap();
        let launch = Launch {
            namespace: "demo".parse().unwrap(),
            python: PathBuf::from("/nowhere/python").into(),
            script: "/nowhere/main.py".into(),
            dir: "/".into(),
            home: "/".into(),
            user: None,
            temps: temps.path().into(),
            confines: Confines::default(),
            environment: Environment::default(),
        };
        let output = OutputLog::new(launch.namespace.clone(), LogTail::default());
        let error = WorkerProcess::spawn(&launch, output, &TaskTracker::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(
            error
                .to_string()
                .starts_with("`/nowhere/python` in the folder `/`: "),
            "{error}"
        );
    }
}
