//! The binary under test as a child process: started over a folder of tools, ended when the value is dropped.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tooldock_secrets::Store;

use serde_json::{Value, json};

use crate::canaries::{MANAGER_TOKEN, TOKEN};
use crate::evidence::Evidence;
use crate::needed::{self, needed};
use crate::output::Output;
use crate::place::{self, Place};
use crate::{Answer, Http};

/// How long the first start may take: it builds the Python environment that all later ones share.
const START: Duration = Duration::from_secs(180);

/// How long an orderly end may take.
const END: Duration = Duration::from_secs(15);

/// A running `tooldock-core dev` on a port of its own, on the loopback address.
///
/// Its tokens, its key and its secrets are marks, and when it ends nothing of them may have left it: not in what it answered,
/// not in its log, not in a file in its data folder, its tools or its scratch space, not in the command line or the start
/// environment of it or a worker. A test that finds one fails.
#[derive(Debug)]
pub struct Gateway {
    child: Child,
    output: Output,
    base_url: String,
    log: PathBuf,
    tools: PathBuf,
    scratch: TempDir,
    evidence: Arc<Evidence>,
    _place: Place,
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
        let token = place::token_file();
        let access = ["--token-file".as_ref(), token.as_os_str()];
        Self::launch(tools, &access, settings)
    }

    /// Does the same for callers without a token, with these settings in the environment.
    ///
    /// # Panics
    ///
    /// As [`start`](Self::start).
    #[must_use]
    pub fn start_anonymous(tools: &Path, settings: &[(&str, &str)]) -> Self {
        Self::launch(tools, &["--anonymous".as_ref()], settings)
    }

    fn launch(tools: &Path, access: &[&OsStr], settings: &[(&str, &str)]) -> Self {
        let place = Place::take();
        let (evidence, scratch) = (
            Arc::new(Evidence::of_a_gateway().behind_logs_of(&place::data_folder())),
            TempDir::with_prefix("scratch"),
        );
        let scratch = scratch.expect("a temporary folder can be made");
        let log = place::log_file();
        let written = File::create(&log).expect("the log can be written");
        let mut child = core()
            .arg("dev")
            .arg(tools)
            .args(["--port", "0", "--data-dir"])
            .arg(place::data_folder())
            .args(access)
            .env("TMPDIR", scratch.path())
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
            tools: tools.to_owned(),
            scratch,
            evidence,
            _place: place,
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
        Http::new(&self.base_url, Some(TOKEN)).with(&self.evidence)
    }

    /// A client without a token.
    #[must_use]
    pub fn stranger(&self) -> Http {
        Http::new(&self.base_url, None).with(&self.evidence)
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
        let headers = [("x-manager-token", MANAGER_TOKEN)];
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
        fs::write(self.data_folder().join("config.yaml"), text).expect("the data folder can be written");
    }

    /// `GET path` as the manager.
    #[must_use]
    pub fn manage(&self, path: &str) -> Answer {
        self.http().get_with(path, &[("x-manager-token", MANAGER_TOKEN)])
    }

    /// The store of its secrets; what a test puts there goes when the gateway does.
    #[must_use]
    pub fn secrets(&self) -> Store {
        place::store()
    }

    /// Asks the gateway to end, waits for it, and gives its exit status.
    ///
    /// # Panics
    ///
    /// When it does not end in time, or when something has leaked.
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
        self.search();
        self.child.kill().expect("it is our child");
        self.child.wait().expect("it is our child");
    }

    /// Looks for marks in everything that can be seen now. What a process has of its own goes with it, so this is done before the end as
    /// well.
    fn search(&self) {
        self.look_at(self.child.id());
        let places = [&self.data_folder(), &self.tools, &self.log, self.scratch.path()];
        self.evidence.search_files(&places.map(AsRef::as_ref));
    }

    /// Looks for marks in the command lines and the start environments of a core that shares the data folder, and of its workers.
    pub fn look_at(&self, core: u32) {
        self.evidence.search_processes(core);
    }

    /// Notes what such a core has written, to be looked at in the end.
    pub fn hear(&self, output: Vec<u8>) {
        self.evidence.hear(output);
    }

    fn terminate(&self) {
        self.search();
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
        place::data_folder()
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
        self.search();
        self.evidence.settle();
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
    command.env("SECRETS_KEY_FILE", place::key_file());
    command
}
