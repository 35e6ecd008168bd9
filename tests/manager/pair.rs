//! A core and its manager as two processes over one data folder, and the manager's tools as a client of it calls them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;
use tooldock_secrets::{Key, Keys, Scope, SecretValue, Store, testing::QUICK};
use tooldock_tests::{Http, eventually};

use crate::clients::pipe;
use crate::programs::{CORE_TOKEN, KEY, START, Served, TOKEN, folder, manager};

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
        let core = Served::core(data.path());
        let http = Http::new(&format!("http://{}", core.address), Some(CORE_TOKEN));
        eventually("a core that has loaded", START, || {
            (http.get("/health").body["status"] == "ok").then_some(())
        });
        let manager = Served::manager(data.path(), &format!("http://{}", core.address), settings);
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
            manager: Served::manager(data.path(), url, settings),
            core: None,
            data,
        }
    }

    /// A second manager over the same folder and core.
    pub(crate) fn second(&self) -> Self {
        let data = TempDir::with_prefix("second").unwrap();
        Self {
            manager: Served::manager(self.data.path(), &self.core_url(), &[]),
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

    /// Notes what somebody else was told by the manager.
    pub(crate) fn hear(&self, told: &str) {
        self.manager.evidence.hear(told.as_bytes().to_vec());
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
        let http =
            Http::new(&format!("http://{}", self.manager.address), Some(TOKEN)).with(&self.manager.evidence);
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
        let failed = !answer["error"].is_null() || result["isError"] == true;
        let said = answer["error"]["message"].as_str().unwrap_or(said);
        Answered::new(failed, &result["structuredContent"], said)
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

    /// What a person runs in a terminal: `command` with `input` on its standard input. Gives the last line that it prints.
    pub(crate) fn person(&self, command: &str, input: &str) -> String {
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("tooldock-manager"), "{command}");
        pipe(manager(self.data()).args(words), input)
    }
}

impl Answered {
    pub(crate) fn new(failed: bool, structured: &Value, text: &str) -> Self {
        let value = match structured {
            Value::Null => serde_json::from_str(text).unwrap_or_default(),
            structured => structured.clone(),
        };
        Self {
            failed,
            value,
            text: text.to_owned(),
        }
    }
}
