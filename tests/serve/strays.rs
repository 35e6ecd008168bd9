//! Nothing that a tool starts outlives its worker or the gateway, whoever is killed.

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tooldock_tests::{Evidence, Gateway, Http, Tools, children, core, eventually, lives, parent};

/// Within which everything has to be gone.
const GONE: Duration = Duration::from_secs(5);
/// How long a start of a worker may take on a busy machine.
const START: Duration = Duration::from_secs(20);

/// A tool whose process leaves its session twice, loses its parent and ignores what can be ignored.
const ESCAPE: &str = r#"
import os, pathlib, signal, tempfile, time
from tooldock import tool

@tool
def escape() -> int:
    """Start a process that wants to stay."""
    place = pathlib.Path(tempfile.mkdtemp()) / "stray"
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP})
            place.write_text(str(os.getpid()))
            time.sleep(600)
        os._exit(0)
    while not (place.exists() and place.read_text()):
        time.sleep(0.005)
    return int(place.read_text())

@tool
async def version() -> int:
    """Which version this is."""
    return 0
"#;

fn escape(http: &Http) -> u64 {
    let answer = http.post("/demo/tools/escape", &json!({}), &[]);
    answer.body.as_u64().unwrap_or_else(|| panic!("{answer:?}"))
}

fn kill(pid: u64) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), Signal::KILL).unwrap();
}

fn wait_gone(what: &str, pids: &[u64]) {
    let gone = || pids.iter().all(|pid| !lives(*pid)).then_some(());
    eventually(what, GONE, gone);
}

/// Whoever is killed: the worker, its warden, the stray itself. The namespace serves again and no zombie stays.
#[test]
fn s89_r30_no_stray_outlives_its_worker_or_its_warden() {
    let tools = Tools::new();
    tools.write("demo", "tool.py", ESCAPE);
    let gateway = Gateway::start(tools.path());
    for victim in ["worker", "warden", "stray"] {
        let (stray, worker) = (escape(&gateway.http()), gateway.worker("demo").unwrap());
        let warden = parent(worker).unwrap();
        assert_eq!(parent(warden), Some(u64::from(gateway.pid())));
        assert_eq!(parent(stray), Some(warden), "the warden has taken it in");
        let (killed, gone) = match victim {
            "worker" => (worker, vec![worker, warden, stray]),
            "warden" => (warden, vec![worker, warden, stray]),
            _ => (stray, vec![stray]),
        };
        kill(killed);
        wait_gone(victim, &gone);
        let serves = || {
            let answer = gateway.http().post("/demo/tools/version", &json!({}), &[]);
            (answer.status == 200 && gateway.worker("demo").is_some()).then_some(())
        };
        eventually("serving again", START, serves);
        let clean = || (children(gateway.pid()).len() == 1).then_some(());
        eventually("no zombie and no stray", GONE, clean);
    }
}

/// A gateway that is killed under load, in the middle of a reload, leaves nothing behind, and the next one serves what is there.
#[test]
fn r6_r30_a_killed_core_leaves_nothing_behind_and_the_next_one_serves() {
    let tools = Tools::new();
    tools.write("demo", "tool.py", ESCAPE);
    for round in 0..3 {
        let mut gateway = Gateway::start(tools.path());
        let http = gateway.http();
        let (stray, worker) = (escape(&http), gateway.worker("demo").unwrap());
        let warden = parent(worker).unwrap();
        let changed = ESCAPE.replace("return 0", &format!("return {}", round + 1));
        let stop = AtomicBool::new(false);
        let mut last = Vec::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let _ = http.post("/demo/tools/version", &json!({}), &[]);
                }
            });
            tools.write("demo", "tool.py", &changed);
            // The file is noticed, its new worker starts, the old one is told to end: somewhere among that it is killed.
            thread::park_timeout(Duration::from_millis(150 * round));
            last.extend(children(gateway.pid()).into_iter().map(u64::from));
            gateway.kill();
            stop.store(true, Ordering::Relaxed);
        });
        let workers = last.iter().flat_map(|warden| children(*warden as u32));
        let mut gone: Vec<u64> = workers.map(u64::from).collect();
        gone.extend([stray, worker, warden]);
        gone.extend(last);
        wait_gone("the end of everything", &gone);
        drop(gateway);
        let begin = Instant::now();
        let gateway = Gateway::start(tools.path());
        let answer = gateway.http().post("/demo/tools/version", &json!({}), &[]);
        assert_eq!(answer.body, json!(round + 1), "{answer:?}");
        assert!(begin.elapsed() < START, "{:?}", begin.elapsed());
    }
}

/// As the first process of a container it buries who is left to it, passes signals on and ends as the gateway does.
#[test]
fn s89_the_first_process_of_a_container_buries_and_ends_in_order() {
    let tools = Tools::new();
    tools.write("demo", "tool.py", ESCAPE);
    let binary = core();
    let mut unshare = std::process::Command::new("unshare");
    let isolated = unshare
        .args(["--pid", "--fork", "--mount-proc", "--kill-child"])
        .stdin(Stdio::null());
    let able = isolated.arg("true").stderr(Stdio::null()).status();
    assert!(
        able.is_ok_and(|status| status.success()),
        "this test makes a process namespace: run it as root on Linux, with `unshare`"
    );
    // A process that is nobody's, as `docker exec` leaves them, beside a gateway that ends at a signal to process 1.
    let script = "(setsid sh -c 'sleep 0.2 & exec true' &) ; exec \"$0\" \"$@\"";
    let mut container = std::process::Command::new("unshare");
    for (name, value) in binary.get_envs() {
        match value {
            Some(value) => container.env(name, value),
            None => container.env_remove(name),
        };
    }
    let began = SystemTime::now();
    let mut child = container
        .args([
            "--pid",
            "--fork",
            "--mount-proc",
            "--kill-child",
            "sh",
            "-c",
            script,
        ])
        .arg(binary.get_program())
        .arg("dev")
        .arg(tools.path())
        .args(["--port", "0", "--data-dir"])
        .arg(tools.path().join("data"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let first = || children(child.id()).first().copied();
    let (first, _) = eventually("the first process", START, first);
    let gateway = || {
        let program = |pid: &u32| std::fs::read_link(format!("/proc/{pid}/exe")).ok();
        let is_core = |pid: &u32| program(pid).is_some_and(|path| path.ends_with("tooldock-core"));
        children(first).into_iter().find(is_core)
    };
    let (gateway, _) = eventually("the gateway below it", START, gateway);
    // What ended is buried, and nothing but the gateway is left.
    let alone = || (children(first) == [gateway]).then_some(());
    eventually("everybody else is buried", GONE, alone);
    let data = tools.path().join("data");
    eventually("its file for the operator", START, || {
        data.join("dev.env").exists().then_some(())
    });
    let evidence = Evidence::of_dev(&data, began);
    evidence.search_processes(gateway);
    let pid = Pid::from_raw(i32::try_from(first).unwrap()).unwrap();
    let ended = || {
        kill_process(pid, Signal::TERM).ok();
        child.try_wait().unwrap()
    };
    let (status, _) = eventually("an orderly end", START, ended);
    assert!(!lives(u64::from(gateway)), "{status}");
    evidence.search_files(&[tools.path()]);
    evidence.settle();
}
