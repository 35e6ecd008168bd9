//! One gateway for each data folder.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::json;
use tooldock_tests::{Gateway, Http, core, fixtures};

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

/// R31: everything works on a read-only root, under a user that nobody knows, with the data folder and a scratch folder to write to.
#[test]
fn f54_r31_a_read_only_root_and_an_unknown_user_are_enough() {
    const PYTHON: &str = "/usr/bin/python3";
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for name in ["tools/demo", "data", "tmp", "bin"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    fs::write(
        path("tools/demo/tool.py"),
        "from tooldock import tool\n\n@tool\ndef hi() -> str:\n    return 'hi'\n",
    )
    .unwrap();
    fs::copy(core().get_program(), path("bin/tooldock-core")).unwrap();
    // A mount namespace of its own, in which everything but this folder is read-only; then an id without a name.
    let script = r#"
        mount --bind "$F" "$F" && mount -o remount,bind,ro / || exit 77
        chown -R 54321:54321 "$F"
        touch /etc/tooldock-probe 2>/dev/null && exit 78
        exec setpriv --reuid 54321 --regid 54321 --clear-groups --no-new-privs "$F/bin/tooldock-core" dev "$F/tools" --port 0 --data-dir "$F/data"
    "#;
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--propagation", "private", "sh", "-c", script])
        .env_clear();
    command
        .env("F", folder.path())
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .env("TMPDIR", path("tmp"));
    command
        .env("WORKER_PYTHON", PYTHON)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let ready = lines.find_map(|line| Some(line.strip_prefix("ready ")?.to_owned()));
    let Some(base_url) = ready else {
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        panic!("this test makes a mount namespace: run it as root on Linux, with `unshare`; {told}");
    };
    let env = fs::read_to_string(path("data/dev.env")).unwrap();
    let token = env
        .lines()
        .find_map(|line| line.strip_prefix("BEARER_TOKEN="))
        .unwrap();
    let answer = Http::new(&base_url, Some(token)).post("/demo/tools/hi", &json!({}), &[]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(answer.body, "hi", "{answer:?}");
}
