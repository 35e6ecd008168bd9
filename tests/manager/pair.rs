//! A core and its manager as two processes over one data folder, and the manager's tools as a client of it calls them.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tooldock_secrets::{Key, Keys, Scope, SecretValue, Store, testing::QUICK};
use tooldock_tests::{Http, core, eventually, needed, node};

const CORE_TOKEN: &str = "core-token-of-the-tests-5c1e";
pub(crate) const TOKEN: &str = "manager-bearer-of-the-tests-77ab";
const INTERNAL: &str = "internal-token-of-the-tests-0b9f";
const KEY: &str = "key-of-the-pair-of-the-tests-31d0";

/// How long the first start may take: it builds a Python environment.
const START: Duration = Duration::from_secs(180);

/// A program that serves, ended when this is dropped.
#[derive(Debug)]
struct Served {
    child: Child,
    address: String,
}

impl Served {
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

/// A core and its manager.
#[derive(Debug)]
pub(crate) struct Pair {
    manager: Served,
    core: Option<Served>,
    data: TempDir,
}

/// What a tool of the manager answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answered {
    /// Whether it is a failure.
    pub(crate) failed: bool,
    /// The result as a value; that of a failure is told as text only.
    pub(crate) value: Value,
    /// The text, or the error of the protocol.
    pub(crate) text: String,
}

impl Pair {
    /// Both, with the namespace `shared` that an empty folder is given.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same under further settings of the manager.
    pub(crate) fn start_with(settings: &[(&str, &str)]) -> Self {
        let data = folder();
        let core = Served::start(core_command(data.path()), &data.path().join("core.log"));
        let http = Http::new(&format!("http://{}", core.address), Some(CORE_TOKEN));
        eventually("a core that has loaded", START, || {
            (http.get("/health").body["status"] == "ok").then_some(())
        });
        let manager = manager(data.path(), &format!("http://{}", core.address), settings);
        Self {
            manager,
            core: Some(core),
            data,
        }
    }

    /// A manager whose core is whatever is at `url`.
    pub(crate) fn alone(url: &str, settings: &[(&str, &str)]) -> Self {
        let data = folder();
        Self {
            manager: manager(data.path(), url, settings),
            core: None,
            data,
        }
    }

    /// A second manager over the same folder and core.
    pub(crate) fn second(&self) -> Self {
        let data = TempDir::with_prefix("second").unwrap();
        Self {
            manager: manager(self.data.path(), &self.core_url(), &[]),
            core: None,
            data,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.manager.address)
    }

    /// Where the core is.
    pub(crate) fn core_url(&self) -> String {
        format!("http://{}", self.core.as_ref().unwrap().address)
    }

    /// The folder of tools.
    pub(crate) fn tools(&self) -> PathBuf {
        self.data.path().join("tools")
    }

    pub(crate) fn data(&self) -> &Path {
        self.data.path()
    }

    /// The secrets, as a person at a terminal reaches them.
    pub(crate) fn store(&self) -> Store {
        let keys = Keys::new(Key::new(KEY.as_bytes().to_vec()).unwrap());
        Store::new(self.data.path(), keys).with_kdf(QUICK)
    }

    /// What a person types at `secrets set`.
    pub(crate) fn set_secret(&self, name: &str, value: &str) {
        let value = SecretValue::new(value.to_owned()).unwrap();
        let set = |contents: &mut tooldock_secrets::Contents| {
            contents.set(Scope::Global, name.parse().unwrap(), value);
            Ok(())
        };
        self.store().change(set).unwrap();
    }

    /// One request to the manager in the revision of 2026-07-28.
    pub(crate) fn request(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let mut headers = vec![
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
            ("accept", "application/json, text/event-stream"),
        ];
        if !name.is_empty() {
            headers.push(("mcp-name", &name));
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let http = Http::new(&format!("http://{}", self.manager.address), Some(TOKEN));
        let (_, text) = http.post_raw("/mcp", &body, &headers);
        let last = text
            .lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .next_back();
        serde_json::from_str(last.unwrap_or(&text)).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Calls a tool of the manager.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Answered {
        let mut params = json!({"name": tool});
        params["arguments"] = arguments;
        let answer = self.request("tools/call", params);
        let result = &answer["result"];
        let said = result["content"][0]["text"].as_str().unwrap_or_default();
        Answered {
            failed: !answer["error"].is_null() || result["isError"] == true,
            value: value(&result["structuredContent"], said),
            text: answer["error"]["message"].as_str().unwrap_or(said).to_owned(),
        }
    }

    /// Calls a tool that has to succeed, and gives its value.
    pub(crate) fn done(&self, tool: &str, arguments: Value) -> Value {
        let answered = self.call(tool, arguments);
        assert!(!answered.failed, "{tool}: {answered:?}");
        answered.value
    }

    /// Calls a tool that has to fail, and gives what it says.
    pub(crate) fn refused(&self, tool: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let answered = self.call(tool, arguments);
        assert!(answered.failed, "{tool} {shown}: {answered:?}");
        answered.text
    }

    /// Has a client of somebody else make the calls, and gives what it was told.
    pub(crate) fn drive(&self, client: &str, calls: &Value) -> Vec<Answered> {
        let mut command = match client {
            "python" => {
                let mut command = Command::new(needed("TOOLDOCK_PYTHON_MCP"));
                command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/clients/python/manage.py"));
                command
            }
            _ => {
                let mut command = Command::new(node());
                command.arg(needed("TOOLDOCK_NODE_CLIENTS").join("manage.mjs"));
                command
            }
        };
        let seen = pipe(command.args([&self.url(), TOKEN]), &calls.to_string());
        let seen: Vec<Value> = serde_json::from_str(&seen).unwrap();
        let answered = |one: Value| {
            let text = one["text"].as_str().unwrap_or_default().to_owned();
            Answered {
                failed: one["failed"] == true,
                value: value(&one["structured"], &text),
                text,
            }
        };
        seen.into_iter().map(answered).collect()
    }
}

/// A result as a value.
fn value(structured: &Value, text: &str) -> Value {
    match structured {
        Value::Null => serde_json::from_str(text).unwrap_or_default(),
        structured => structured.clone(),
    }
}

/// Gives a program its standard input and takes the last line of its standard output.
pub(crate) fn pipe(command: &mut Command, input: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let last = lines.map_while(Result::ok).last().unwrap_or_default();
    assert!(child.wait().unwrap().success(), "{command:?} failed");
    last
}

/// A data folder that shares what was fetched from the index before.
fn folder() -> TempDir {
    let data = TempDir::with_prefix("pair").unwrap();
    let cache = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/xtask/data/cache");
    fs::create_dir_all(&cache).unwrap();
    std::os::unix::fs::symlink(cache.canonicalize().unwrap(), data.path().join("cache")).unwrap();
    data
}

fn core_command(data: &Path) -> Command {
    let mut command = core();
    command.args(["serve", "--port", "0", "--enable-fs-watcher", "false"]);
    given(&mut command, data);
    command
}

fn manager(data: &Path, core_url: &str, settings: &[(&str, &str)]) -> Served {
    let mut command = Command::new(needed("TOOLDOCK_MANAGER_BIN"));
    for (name, value) in core().get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.args(["serve", "--manager-port", "0", "--core-url", core_url]);
    given(&mut command, data);
    command
        .env("MANAGER_BEARER_TOKEN", TOKEN)
        .envs(settings.iter().copied());
    let log = tempfile::Builder::new()
        .prefix("manager")
        .suffix(".log")
        .tempfile_in(data)
        .unwrap();
    let (_, path) = log.keep().unwrap();
    Served::start(command, &path)
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
