//! The programs as processes over one data folder.

use std::fs::{self, File};
use std::iter;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tooldock_tests::{Evidence, Marks, core, eventually, needed, workers};

pub(crate) const CORE_TOKEN: &str = "core-token-of-the-tests-5c1e";
pub(crate) const TOKEN: &str = "manager-bearer-of-the-tests-77ab";
pub(crate) const KEY: &str = "key-of-the-pair-of-the-tests-31d0";
const INTERNAL: &str = "internal-token-of-the-tests-0b9f";
/// A value for a secret.
pub(crate) const SECRET: &str = "canary-\"41d7\"/äß of the manager";

/// What may not get out.
const MARKS: [(&str, &str); 5] = [
    ("the token of the core", CORE_TOKEN),
    ("the token of the manager", TOKEN),
    ("the internal token", INTERNAL),
    ("the key", KEY),
    ("a secret", SECRET),
];
/// The folder in which the operator keeps them, and a file in which a test puts a secret.
const OWN: [&str; 2] = ["operator", "b.py"];

/// How long the first start may take: it builds a Python environment.
pub(crate) const START: Duration = Duration::from_secs(180);

/// A program that serves, ended when this is dropped. Nothing of its tokens, its key and its secrets may have left it then: not in what it
/// answered, not in a file in its data folder, logs included, not in the command line or the start environment of it or a worker.
#[derive(Debug)]
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
    pub(crate) evidence: Arc<Evidence>,
    data: PathBuf,
}

impl Served {
    /// A core over a data folder.
    pub(crate) fn core(data: &Path) -> Self {
        let mut command = core();
        command.args(["serve", "--port", "0", "--enable-fs-watcher", "false"]);
        given(&mut command, data);
        Self::start(command, data, &data.join("core.log"))
    }

    /// A manager over a data folder, under further settings.
    pub(crate) fn manager(data: &Path, core_url: &str, settings: &[(&str, &str)]) -> Self {
        let mut command = manager(data);
        command.args(["serve", "--manager-port", "0", "--core-url", core_url]);
        for (name, value) in settings {
            command.env_remove(format!("{name}_FILE")).env(name, value);
        }
        let log = tempfile::Builder::new()
            .prefix("manager")
            .suffix(".log")
            .tempfile_in(data)
            .unwrap();
        let (_, path) = log.keep().unwrap();
        Self::start(command, data, &path)
    }

    fn start(mut command: Command, data: &Path, log: &Path) -> Self {
        let evidence = Evidence::of(Marks::new(&MARKS)).without(&OWN);
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
        Self {
            child,
            address,
            evidence: Arc::new(evidence),
            data: data.to_owned(),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        for pid in iter::once(self.child.id()).chain(workers(self.child.id())) {
            self.evidence.search_line(pid);
            self.evidence.search_environment(pid);
        }
        if let Some(pid) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            rustix::process::kill_process(pid, rustix::process::Signal::TERM).ok();
        }
        self.child.wait().ok();
        self.evidence.search_files(&[&self.data]);
        self.evidence.settle();
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
    command.env("MANAGER_BEARER_TOKEN_FILE", kept(data, "manager", TOKEN));
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
        .env("BEARER_TOKEN_FILE", kept(data, "core", CORE_TOKEN))
        .env("MANAGER_INTERNAL_TOKEN_FILE", kept(data, "internal", INTERNAL))
        .env("SECRETS_KEY_FILE", kept(data, "key", KEY))
        .env("NO_COLOR", "1");
}

/// A file of the operator.
fn kept(data: &Path, name: &str, content: &str) -> PathBuf {
    let folder = data.join(OWN[0]);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), content).unwrap();
    folder.join(name)
}
