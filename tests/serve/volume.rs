//! The data folder: whose it is, where it lies, and when it is full.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::{Value, json};
use tooldock_secrets::{Key, Keys, SECRETS_FILE, SecretValue, Store};
use tooldock_tests::{Answer, Evidence, Gateway, Http, core, fixtures};

/// R25: a second gateway on the same data folder says who has it, and ends; one that was killed leaves the folder free.
#[test]
fn r25_a_data_folder_has_one_gateway() {
    let mut gateway = Gateway::start(fixtures());
    let start = || {
        let mut second = core();
        second.arg("dev").arg(fixtures());
        second
            .args(["--port", "0", "--data-dir"])
            .arg(gateway.data_folder());
        second
    };
    let told = start().output().unwrap();
    let text = String::from_utf8_lossy(&told.stderr).into_owned();
    assert_eq!(told.status.code(), Some(1), "{text}");
    let process = format!("process {}", gateway.pid());
    for part in ["another gateway serves", process.as_str(), "DATA_DIR"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(gateway.http().get("/demo/tools").status, 200, "the first goes on");
    gateway.kill();
    drop(gateway);
    assert_eq!(Gateway::start(fixtures()).http().get("/demo/tools").status, 200);
}

/// A folder for a gateway in a mount namespace of its own: `tools`, `data`, `tmp` and `bin`, with one namespace, `demo`.
struct Place(tempfile::TempDir);

/// Makes the folder a mount of its own; what follows may change what is mounted.
const OWN_MOUNT: &str = r#"mount --bind "$F" "$F""#;

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir_in("/tmp").unwrap());
        for name in ["tools/demo", "data", "tmp", "bin"] {
            fs::create_dir_all(place.path(name)).unwrap();
        }
        fs::write(place.path("tools/demo/tool.py"), TOOL).unwrap();
        fs::copy(core().get_program(), place.path("bin/tooldock-core")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `script`, which ends by starting the gateway of the folder `$F`, and waits until it is ready.
    fn start(&self, script: &str, settings: &[(&str, &str)]) -> Mounted {
        let mut command = Command::new("unshare");
        command
            .args(["--mount", "--propagation", "private", "sh", "-c"])
            .arg(format!("{OWN_MOUNT} && {script}"))
            .env_clear();
        command
            .env("F", self.0.path())
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("TMPDIR", self.path("tmp"))
            .env("WORKER_PYTHON", "/usr/bin/python3")
            .envs(settings.iter().copied());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(self.path("log")).unwrap());
        let began = SystemTime::now();
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok);
        let Some(base_url) = lines.find_map(|line| Some(line.strip_prefix("ready ")?.to_owned())) else {
            child.wait().unwrap();
            let told = fs::read_to_string(self.path("log")).unwrap();
            panic!("this test makes a mount namespace: run it as root on Linux, with `unshare`; {told}");
        };
        // What it has mounted is seen through it only.
        let inside = self.0.path().strip_prefix("/").unwrap();
        let root = Path::new(&format!("/proc/{}/root", child.id())).join(inside);
        let evidence = Arc::new(Evidence::of_dev(&root.join("data"), began));
        Mounted {
            child,
            base_url,
            root,
            evidence,
        }
    }
}

/// A gateway that sees other mounts than the test.
struct Mounted {
    child: Child,
    base_url: String,
    /// The folder as the gateway sees it.
    root: PathBuf,
    evidence: Arc<Evidence>,
}

impl Mounted {
    fn access(&self, name: &str) -> String {
        let env = fs::read_to_string(self.root.join("data/dev.env")).unwrap();
        let found = env
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        found.unwrap().to_owned()
    }

    fn http(&self) -> Http {
        Http::new(&self.base_url, Some(&self.access("BEARER_TOKEN"))).with(&self.evidence)
    }

    fn call(&self, tool: &str) -> Answer {
        self.http().post(&format!("/demo/tools/{tool}"), &json!({}), &[])
    }

    fn reload(&self) -> Value {
        let token = self.access("MANAGER_INTERNAL_TOKEN");
        self.http()
            .post("/reload", &json!({}), &[("x-manager-token", &token)])
            .body
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.evidence.search_processes(self.child.id());
        self.evidence.search_files(&[&self.root]);
        self.child.kill().ok();
        self.child.wait().ok();
        self.evidence.settle();
    }
}

const TOOL: &str = r#"
import os
from tooldock import tool

@tool
def hi() -> str:
    """Greet."""
    return "hi"

@tool
def keep() -> str:
    """Keep a MiB."""
    with open(os.path.expanduser("~/kept"), "wb") as file:
        file.write(b"x" * (1 << 20))
    return "kept"
"#;

/// R31: everything works on a read-only root, under a user that nobody knows, with the data folder and a scratch folder to write to.
#[test]
fn f54_r31_a_read_only_root_and_an_unknown_user_are_enough() {
    let place = Place::new();
    // A mount namespace of its own, in which everything but this folder is read-only; then an id without a name.
    let script = r#"
        mount -o remount,bind,ro / || exit 77
        chown -R 54321:54321 "$F"
        touch /etc/tooldock-probe 2>/dev/null && exit 78
        exec setpriv --reuid 54321 --regid 54321 --clear-groups --no-new-privs "$F/bin/tooldock-core" dev "$F/tools" --port 0 --data-dir "$F/data"
    "#;
    let gateway = place.start(script, &[]);
    assert_eq!(gateway.call("hi").body, "hi");
}

/// R10: on a full data volume calls are answered as before, and what has to write fails with the reason and leaves what was there. Once
/// there is room everything works again, without a restart.
#[test]
fn r10_a_full_volume_stops_writes_and_nothing_else() {
    let place = Place::new();
    let script = r#"
        mount -t tmpfs -o size=48m tmpfs "$F/data" || exit 77
        exec "$F/bin/tooldock-core" dev "$F/tools" --port 0 --data-dir "$F/data"
    "#;
    let gateway = place.start(
        script,
        &[("PACKAGE_OFFLINE", "true"), ("ENABLE_FS_WATCHER", "false")],
    );
    let data = gateway.root.join("data");
    let key = Key::new(gateway.access("SECRETS_KEY").into()).unwrap();
    let store = Store::new(data.clone(), Keys::new(key));
    let set = |name: &str, length: usize| {
        let value = SecretValue::new("v7".repeat(length / 2)).unwrap();
        store.change(|contents| {
            contents.set("demo".parse().unwrap(), name.parse().unwrap(), value);
            Ok(())
        })
    };
    set("FIRST", 1_000).unwrap();
    let sealed = fs::read(data.join(SECRETS_FILE)).unwrap();
    assert_eq!(gateway.call("keep").body, "kept");

    let filler = data.join("filler");
    let mut file = fs::File::create(&filler).unwrap();
    let full = std::iter::repeat_with(|| file.write_all(&[1; 4096]))
        .find_map(Result::err)
        .unwrap();
    assert_eq!(full.kind(), ErrorKind::StorageFull, "{full}");

    for _ in 0..20 {
        assert_eq!(gateway.call("hi").body, "hi");
        assert_eq!(gateway.http().get("/namespaces").status, 200);
    }
    fs::remove_file(data.join("homes/demo/kept")).unwrap();
    while file.write_all(&[1; 4096]).is_ok() {}
    let refused = gateway.call("keep");
    assert!(refused.error().contains("No space left"), "{refused:?}");
    set("SECOND", 1_000).unwrap_err();
    assert_eq!(
        fs::read(data.join(SECRETS_FILE)).unwrap(),
        sealed,
        "a write that fails changes nothing"
    );
    fs::create_dir(place.path("tools/late")).unwrap();
    fs::write(place.path("tools/late/tool.py"), TOOL).unwrap();
    fs::write(
        place.path("tools/late/requirements.txt"),
        "nothing-to-be-found; python_version < '3'\n",
    )
    .unwrap();
    let report = gateway.reload();
    assert_eq!(report["ok"], false, "{report}");
    assert!(report.to_string().contains("No space left"), "{report}");
    assert_eq!(gateway.call("hi").body, "hi");

    fs::remove_file(&filler).unwrap();
    drop(file);
    // What it asks for is not to be had here, room or not.
    fs::remove_file(place.path("tools/late/requirements.txt")).unwrap();
    let report = gateway.reload();
    assert_eq!(report["ok"], true, "{report}");
    assert_eq!(gateway.http().post("/late/tools/hi", &json!({}), &[]).body, "hi");
    assert_eq!(gateway.call("keep").body, "kept");
    set("SECOND", 1_000).unwrap();
}
