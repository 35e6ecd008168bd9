//! The binary under test as a user without privileges runs it, with tokens and keys in its environment.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, getuid, kill_process};
use serde_json::{Value, json};
use tooldock_secrets::{Key, Keys, META_FILE, SECRETS_FILE, Store};

use crate::canaries::{KEY, MANAGER_TOKEN, TOKEN};
use crate::evidence::Evidence;
use crate::needed::{needed, search_path};
use crate::processes::workers;
use crate::{Http, eventually};

/// The user: one that nothing else belongs to.
const USER: u32 = 64_213;
/// How long a first start may take: it builds an environment.
const START: Duration = Duration::from_secs(180);

/// What it has in its environment, and nothing else may find: the marks of all gateways.
pub const CANARIES: [(&str, &str); 3] = [
    ("BEARER_TOKEN", TOKEN),
    ("MANAGER_INTERNAL_TOKEN", MANAGER_TOKEN),
    ("SECRETS_KEY", KEY),
];

/// A running `tooldock-core serve` of a user without privileges. When it ends nothing of its tokens, key and secrets may have left it, as
/// with a [`Gateway`](crate::Gateway); its own start environment is the one place where they are.
#[derive(Debug)]
pub struct Unprivileged {
    child: Child,
    http: Http,
    evidence: Arc<Evidence>,
    user: u32,
    place: PathBuf,
    _alone: File,
}

impl Unprivileged {
    /// Serves these files, each given as `namespace/file` and its text, with further settings, and waits until all of them are
    /// loaded. The words of `launcher` are put in front of the program.
    ///
    /// Where the test itself has no privileges, it is the user.
    ///
    /// # Panics
    ///
    /// When the binary is missing or is not ready in time, with all it wrote.
    #[must_use]
    pub fn start(files: &[(&str, &str)], settings: &[(&str, &str)], launcher: &[&str]) -> Self {
        Self::start_as(USER, "tooldock-tests-unprivileged", files, settings, launcher)
    }

    /// Does the same as root.
    ///
    /// # Panics
    ///
    /// As [`start`](Self::start), and when the test is not run by root.
    #[must_use]
    pub fn start_as_root(files: &[(&str, &str)], settings: &[(&str, &str)]) -> Self {
        assert!(
            getuid().is_root(),
            "this test is about what root gives and gives up: run it as root"
        );
        Self::start_as(0, "tooldock-tests-root", files, settings, &[])
    }

    fn start_as(
        user: u32,
        place: &str,
        files: &[(&str, &str)],
        settings: &[(&str, &str)],
        launcher: &[&str],
    ) -> Self {
        let place = std::env::temp_dir().join(place);
        let data = place.join("data");
        fs::create_dir_all(&data).expect("a temporary folder can be made");
        let alone = File::create(place.join("lock")).expect("the lock can be made");
        alone.lock().expect("the lock can be waited for");
        own(&data, user);
        forget(&data);
        let tools = data.join("tools");
        fs::remove_dir_all(&tools).ok();
        for (path, text) in files {
            let path = tools.join(path);
            fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder can be made");
            fs::write(path, text).expect("a file can be written");
        }
        // Where the binary was built the user may not be able to look.
        let (core, aside) = (place.join("core"), place.join("core.new"));
        fs::copy(needed("TOOLDOCK_CORE_BIN"), &aside).expect("the binary can be copied");
        fs::rename(&aside, &core).expect("the copy can be put in its place");
        let log = File::create(place.join("log")).expect("the log can be written");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = port.expect("there is a free port").port();
        let mut words = launcher.iter().map(Path::new).chain([core.as_path()]);
        let mut command = Command::new(words.next().expect("the program is one"));
        command.args(words).arg("serve");
        command.env_clear().env("PATH", search_path());
        command.env("PORT", port.to_string()).env("DATA_DIR", &data);
        command.envs(CANARIES).envs(settings.iter().copied());
        command
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a file"))
            .stderr(log);
        if getuid().is_root() {
            command.uid(user).gid(user);
        }
        let evidence = Arc::new(Evidence::of_a_gateway());
        let http = Http::new(&format!("http://127.0.0.1:{port}"), Some(TOKEN));
        let mut started = Self {
            child: command.spawn().expect("the binary under test can be started"),
            http: http.with(&evidence),
            evidence,
            user,
            place,
            _alone: alone,
        };
        let loaded = |line: &str| line.contains("every namespace is loaded");
        eventually("loading", START, || {
            let ended = started.child.try_wait().expect("it is our child");
            assert!(ended.is_none(), "it ended early and wrote:\n{}", started.log());
            started.log().lines().any(loaded).then_some(())
        });
        started
    }

    /// A client that sends the token.
    #[must_use]
    pub fn http(&self) -> &Http {
        &self.http
    }

    /// The data folder.
    #[must_use]
    pub fn data_folder(&self) -> PathBuf {
        self.place.join("data")
    }

    /// The process id of the core.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// All that it has written so far.
    #[must_use]
    pub fn log(&self) -> String {
        let text = fs::read(self.place.join("log")).unwrap_or_default();
        String::from_utf8_lossy(&text).into_owned()
    }

    /// How a namespace is, as the list of namespaces tells it.
    #[must_use]
    pub fn state(&self, namespace: &str) -> Value {
        let list = self.http.get("/namespaces").body;
        let mut lines = list["namespaces"].as_array().into_iter().flatten();
        lines
            .find(|line| line["name"] == namespace)
            .cloned()
            .unwrap_or_default()
    }

    /// Sets a secret of one namespace and reloads.
    ///
    /// # Panics
    ///
    /// When the store or the gateway refuses.
    pub fn set_secret(&self, namespace: &str, name: &str, value: &str) {
        let key = Key::new(KEY.into()).expect("the key is strong");
        let store = Store::new(self.data_folder(), Keys::new(key));
        let (scope, name) = (namespace.parse().expect("a name"), name.parse().expect("a name"));
        let value = tooldock_secrets::SecretValue::new(value.to_owned()).expect("a value");
        let set = store.change(|contents| {
            contents.set(scope, name, value);
            Ok(())
        });
        set.expect("the store can be written");
        for entry in fs::read_dir(self.data_folder()).into_iter().flatten().flatten() {
            own(&entry.path(), self.user);
        }
        let headers = [("x-manager-token", MANAGER_TOKEN)];
        let answer = self.http.post("/reload", &json!({}), &headers);
        assert_eq!(
            (answer.status, &answer.body["ok"]),
            (200, &json!(true)),
            "{answer:?}"
        );
    }
}

impl Drop for Unprivileged {
    fn drop(&mut self) {
        self.evidence.search_line(self.child.id());
        for pid in workers(self.child.id()) {
            self.evidence.search_line(pid);
            self.evidence.search_environment(pid);
        }
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::TERM);
        }
        let _ = self.child.wait();
        self.evidence
            .search_files(&[&self.data_folder(), &self.place.join("log")]);
        forget(&self.data_folder());
        self.evidence.settle();
    }
}

/// Removes what earlier tests have set.
fn forget(data: &Path) {
    for file in ["config.yaml", SECRETS_FILE, META_FILE] {
        let _ = fs::remove_file(data.join(file));
    }
}

/// Gives a file or folder to `user`.
fn own(path: &Path, user: u32) {
    if getuid().is_root() {
        chown(path, Some(user), Some(user)).expect("root can give things away");
    }
}
