//! The binary under test as a child process: started over a folder of tools, ended when the value is dropped.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tooldock_secrets::{Key, Keys, META_FILE, SECRETS_FILE, Store};

use serde_json::{Value, json};

use crate::Http;
use crate::needed::{self, needed};
use crate::output::Output;

/// How long the first start may take: it builds the Python environment that all later ones share.
const START: Duration = Duration::from_secs(180);

/// How long an orderly end may take.
const END: Duration = Duration::from_secs(15);

/// Where tests keep what they share.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/xtask");

/// The token of every gateway that the tests start.
const TOKEN: &str = "token-of-the-tests-and-of-nothing-else";

/// A running `tooldock-core dev` on a port of its own, on the loopback address.
#[derive(Debug)]
pub struct Gateway {
    child: Child,
    output: Output,
    base_url: String,
    log: PathBuf,
    _token_folder: Option<TempDir>,
    _data: File,
}

impl Gateway {
    /// Serves the namespaces in `tools` and waits until all of them answer.
    ///
    /// Gateways share one data folder below `target`, so that the Python environments are built once; a lock keeps
    /// a second one waiting until the first has ended.
    ///
    /// # Panics
    ///
    /// When the binary is missing, ends early or is not ready in time, with all it wrote.
    #[must_use]
    pub fn start(tools: &Path) -> Self {
        Self::start_with(tools, &[])
    }

    /// Does the same under further settings.
    ///
    /// # Panics
    ///
    /// As [`start`](Self::start).
    #[must_use]
    pub fn start_with(tools: &Path, settings: &[(&str, &str)]) -> Self {
        let token_folder = TempDir::new().expect("a temporary folder can be made");
        let token = token_file(&token_folder);
        let access = ["--token-file".as_ref(), token.as_os_str()];
        Self::launch(tools, &access, Some(token_folder), settings)
    }

    /// Does the same for callers without a token, with these settings in the environment.
    ///
    /// # Panics
    ///
    /// As [`start`](Self::start).
    #[must_use]
    pub fn start_anonymous(tools: &Path, settings: &[(&str, &str)]) -> Self {
        Self::launch(tools, &["--anonymous".as_ref()], None, settings)
    }

    fn launch(
        tools: &Path,
        access: &[&OsStr],
        token_folder: Option<TempDir>,
        settings: &[(&str, &str)],
    ) -> Self {
        let folder = Path::new(FOLDER);
        let data = alone(folder);
        let log = folder.join(format!("logs/gateway-{}.log", std::process::id()));
        let written = File::create(&log).expect("the log can be written");
        let mut child = core()
            .arg("dev")
            .arg(tools)
            .args(["--port", "0", "--data-dir"])
            .arg(data_folder())
            .args(access)
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(written.try_clone().expect("the log can be written"))
            .spawn()
            .expect("the binary under test can be started");
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let output = Output::follow(stdout, written);
        let base_url = output.address(START).unwrap_or_else(|error| {
            let _ = child.kill();
            let _ = child.wait();
            let told = fs::read_to_string(&log).unwrap_or_default();
            panic!("the gateway was not ready ({error}); it wrote:\n{told}");
        });
        Self {
            child,
            output,
            base_url,
            log,
            _token_folder: token_folder,
            _data: data,
        }
    }

    /// Where it serves, such as `http://127.0.0.1:4711`, without a slash at the end.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// All that it has written so far: its log, and what it printed.
    ///
    /// # Panics
    ///
    /// When it cannot be read.
    #[must_use]
    pub fn log(&self) -> String {
        let text = fs::read(&self.log).expect("the log can be read");
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The bearer token it accepts.
    #[must_use]
    pub fn token(&self) -> &'static str {
        TOKEN
    }

    /// A client that sends the token.
    #[must_use]
    pub fn http(&self) -> Http {
        Http::new(&self.base_url, Some(TOKEN))
    }

    /// Asks for a reload and gives its report.
    ///
    /// # Panics
    ///
    /// When the gateway refuses.
    #[must_use]
    pub fn reload(&self) -> Value {
        self.ask_for_reload(&Value::Null)
    }

    /// Asks what a reload would do.
    ///
    /// # Panics
    ///
    /// When the gateway refuses.
    #[must_use]
    pub fn plan(&self) -> Value {
        self.ask_for_reload(&json!({"dry_run": true}))
    }

    fn ask_for_reload(&self, wanted: &Value) -> Value {
        let file = data_folder().join("dev.env");
        let env = fs::read_to_string(file).expect("a development server writes its tokens");
        let manager = env
            .lines()
            .find_map(|line| line.strip_prefix("MANAGER_INTERNAL_TOKEN="));
        let headers = [(
            "x-manager-token",
            manager.expect("the manager token is one of them"),
        )];
        let answer = self.http().post("/reload", wanted, &headers);
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        answer.body
    }

    /// Writes `config.yaml` into the data folder; it goes when the gateway does.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn configure(&self, text: &str) {
        fs::write(config_file(), text).expect("the data folder can be written");
    }

    /// The store of its secrets; what a test puts there goes when the gateway does.
    ///
    /// # Panics
    ///
    /// When the key of the development server cannot be read.
    #[must_use]
    pub fn secrets(&self) -> Store {
        let env =
            fs::read_to_string(data_folder().join("dev.env")).expect("a development server writes its key");
        let key = env.lines().find_map(|line| line.strip_prefix("SECRETS_KEY="));
        let key = Key::new(key.expect("the key is there").into()).expect("the key is strong");
        Store::new(data_folder(), Keys::new(key))
    }

    /// Asks the gateway to end, waits for it, and gives its exit status.
    ///
    /// # Panics
    ///
    /// When it does not end in time.
    pub fn end(mut self) -> ExitStatus {
        self.terminate();
        assert!(self.output.closed(END), "the gateway did not end within {END:?}");
        self.child.wait().expect("it is our child")
    }

    /// Kills the gateway and nothing else; it gets no chance to clear up.
    ///
    /// # Panics
    ///
    /// When it cannot be killed.
    pub fn kill(&mut self) {
        self.child.kill().expect("it is our child");
        self.child.wait().expect("it is our child");
    }

    fn terminate(&self) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::TERM);
        }
    }

    /// The process that serves `namespace`, if there is one.
    #[must_use]
    pub fn worker(&self, namespace: &str) -> Option<u64> {
        let list = self.http().get("/namespaces").body;
        let line = list["namespaces"]
            .as_array()?
            .iter()
            .find(|line| line["name"] == namespace)?;
        line["pid"].as_u64()
    }

    /// The folder of its environments and tokens.
    #[must_use]
    pub fn data_folder(&self) -> PathBuf {
        data_folder()
    }

    /// The process id of the core.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.terminate();
            if !self.output.closed(END) {
                let _ = self.child.kill();
            }
            let _ = self.child.wait();
        }
        for file in ["config.yaml", SECRETS_FILE, META_FILE] {
            let _ = fs::remove_file(data_folder().join(file));
        }
    }
}

/// The binary under test, in the environment that its user would have.
#[must_use]
pub fn core() -> Command {
    let mut command = Command::new(needed("TOOLDOCK_CORE_BIN"));
    for name in needed::handed_over() {
        command.env_remove(name);
    }
    command.env("PATH", needed::search_path());
    command
}

/// Where the operator's settings of all gateways would be.
fn config_file() -> PathBuf {
    data_folder().join("config.yaml")
}

/// The data folder that all gateways share.
fn data_folder() -> PathBuf {
    Path::new(FOLDER).join("data")
}

/// Waits for the data folder to be free and keeps it for as long as the file is open.
fn alone(folder: &Path) -> File {
    fs::create_dir_all(folder.join("logs")).expect("the folder below target can be made");
    let lock = File::create(folder.join("data.lock")).expect("the lock can be made");
    lock.lock().expect("the lock can be waited for");
    lock
}

/// A file with the token that only its owner can read.
fn token_file(folder: &TempDir) -> PathBuf {
    let mut file = tempfile::NamedTempFile::new_in(folder).expect("a temporary file can be made");
    file.write_all(TOKEN.as_bytes())
        .expect("a temporary file can be written");
    file.keep().expect("a temporary file can be kept").1
}
