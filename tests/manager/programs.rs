//! The programs as processes over one data folder.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tooldock_tests::{core, eventually, needed};

pub(crate) const CORE_TOKEN: &str = "core-token-of-the-tests-5c1e";
pub(crate) const TOKEN: &str = "manager-bearer-of-the-tests-77ab";
pub(crate) const KEY: &str = "key-of-the-pair-of-the-tests-31d0";
const INTERNAL: &str = "internal-token-of-the-tests-0b9f";

/// How long the first start may take: it builds a Python environment.
pub(crate) const START: Duration = Duration::from_secs(180);

/// A program that serves, ended when this is dropped.
#[derive(Debug)]
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
}

impl Served {
    /// A core over a data folder.
    pub(crate) fn core(data: &Path) -> Self {
        let mut command = core();
        command.args(["serve", "--port", "0", "--enable-fs-watcher", "false"]);
        given(&mut command, data);
        Self::start(command, &data.join("core.log"))
    }

    /// A manager over a data folder, under further settings.
    pub(crate) fn manager(data: &Path, core_url: &str, settings: &[(&str, &str)]) -> Self {
        let mut command = manager(data);
        command
            .args(["serve", "--manager-port", "0", "--core-url", core_url])
            .envs(settings.iter().copied());
        let log = tempfile::Builder::new()
            .prefix("manager")
            .suffix(".log")
            .tempfile_in(data)
            .unwrap();
        let (_, path) = log.keep().unwrap();
        Self::start(command, &path)
    }

    fn start(mut command: Command, log: &Path) -> Self {
        let written = File::create(log).unwrap();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(written)
            .spawn()
            .unwrap();
        let ready = || {
            let text = fs::read_to_string(log).unwrap();
            assert!(child.try_wait().unwrap().is_none(), "it ended:\n{text}");
            let line = text.lines().find(|line| line.contains("listening"))?.to_owned();
            Some(line.rsplit_once("address=")?.1.trim().to_owned())
        };
        let (address, _) = eventually("a listening program", START, ready);
        Self { child, address }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(pid) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            rustix::process::kill_process(pid, rustix::process::Signal::TERM).ok();
        }
        self.child.wait().ok();
    }
}

/// The manager's program over a data folder, without what it is to do.
pub(crate) fn manager(data: &Path) -> Command {
    let mut command = Command::new(needed("TOOLDOCK_MANAGER_BIN"));
    for (name, value) in core().get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    given(&mut command, data);
    command.env("MANAGER_BEARER_TOKEN", TOKEN);
    command
}

/// A data folder that shares what was fetched from the index before.
pub(crate) fn folder() -> TempDir {
    let data = TempDir::with_prefix("pair").unwrap();
    let cache = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/xtask/data/cache");
    fs::create_dir_all(&cache).unwrap();
    std::os::unix::fs::symlink(cache.canonicalize().unwrap(), data.path().join("cache")).unwrap();
    data
}

fn given(command: &mut Command, data: &Path) {
    command
        .env("DATA_DIR", data)
        .env("BEARER_TOKEN", CORE_TOKEN)
        .env("MANAGER_INTERNAL_TOKEN", INTERNAL)
        .env("SECRETS_KEY", KEY)
        .env("NO_COLOR", "1")
        .env_remove("SECRETS_KEY_FILE");
}
