//! What may not get out of a gateway: that it does not, and that the tests would notice.

use std::{fs, panic};

use serde_json::{Value, json};
use tooldock_tests::{Gateway, SECRET, TOKEN, Tools, Unprivileged, children};

/// Looks for texts in what the system shows of other processes; says in which process and file.
const WALKER: &str = r#"
import os, stat
from tooldock import tool


def chunks(pid: int, name: str):
    if not stat.S_ISREG(os.stat(f"/proc/{pid}/{name}").st_mode):
        return  # reading from a pipe would wait
    with open(f"/proc/{pid}/{name}", "rb", buffering=0) as file:
        if name != "mem":
            yield file.read()
            return
        with open(f"/proc/{pid}/maps") as maps:
            lines = [line.split() for line in maps]
        for line in lines:
            start, end = (int(text, 16) for text in line[0].split("-"))
            if line[1].startswith("r") and end - start < 1 << 28 and "[v" not in line[-1]:
                try:
                    yield os.pread(file.fileno(), end - start, start)
                except OSError:
                    pass


@tool
def walk(pids: list[int], texts: list[str]) -> list[str]:
    """Look for texts in other processes."""
    found = []
    for pid in pids:
        tasks = []
        try:
            tasks = [f"task/{thread}/{name}" for thread in os.listdir(f"/proc/{pid}/task") for name in ("environ", "cmdline")]
            tasks += [f"fd/{number}" for number in os.listdir(f"/proc/{pid}/fd")]
        except OSError:
            pass
        for name in ["environ", "cmdline", "maps", "mem", *tasks]:
            if pid == os.getpid():
                continue
            try:
                if any(text.encode() in chunk for chunk in chunks(pid, name) for text in texts):
                    found.append(f"{pid}/{name}")
            except (OSError, ValueError):
                pass
    return found
"#;

/// Parts of the marks that the tokens, the key and the secrets of gateways in tests are.
const PARTS: [&str; 2] = ["of-the-tests", "7d3e"];

/// Nothing but what is under test keeps the tools from looking around.
const OPEN: [(&str, &str); 1] = [("WORKER_SANDBOX", "off")];

/// A tool of the same user finds nothing in what the system shows of the gateway and everything else it may look at: neither in
/// environments and command lines nor in memory.
#[test]
fn s79_other_processes_show_no_secret() {
    let gateway = Unprivileged::start(&[("walker/walk.py", WALKER)], &OPEN, &[]);
    gateway.set_secret("walker", "MARK", SECRET);
    let core = gateway.pid();
    let processes = fs::read_dir("/proc").unwrap();
    let numbers = processes.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse::<u32>().ok());
    // Where the tests have no privilege either, a tool may look into them; they know everything.
    let pids: Vec<u32> = if rustix::process::geteuid().is_root() {
        numbers.collect()
    } else {
        [core].into_iter().chain(children(core)).collect()
    };
    assert!(pids.contains(&core));
    let found = gateway
        .http()
        .post("/walker/tools/walk", &json!({"pids": pids, "texts": PARTS}), &[]);
    assert_eq!(
        (found.status, &found.body),
        (200, &json!([])),
        "{core}: {found:?}"
    );
}

const LEAKS: &str = "\
import base64, os, pathlib, tempfile, urllib.parse
from tooldock import tool

MARK = os.environ['MARK']

@tool
def answer() -> str:
    return urllib.parse.quote(MARK, safe='')

@tool
def log() -> str:
    print(base64.b64encode(MARK.encode()).decode())
    return ''

@tool
def file(place: str) -> str:
    folder = pathlib.Path(tempfile.gettempdir() if place == 'scratch' else place)
    (folder / f'{place[-4:]}.leak').write_bytes(base64.b64encode(b'x' + MARK.encode()))
    return ''
";

/// Each way out that a test could forget to look at, with a tool that uses it. It is not looked at in the test, but when this ends.
#[test]
fn f53_a_test_notices_whatever_leaks() {
    let tools = Tools::new();
    tools.write("leaks", "leaks.py", LEAKS);
    let (folder, data) = (tools.path().join("leaks"), String::new());
    let ways: [(&str, Value, &str); 5] = [
        ("answer", json!({}), "the answer `"),
        ("log", json!({}), ".log` holds"),
        ("file", json!({"place": "scratch"}), "/atch.leak` holds"),
        ("file", json!({"place": folder}), "/eaks.leak` holds"),
        ("file", json!({"place": data}), "/data.leak` holds"),
    ];
    for (tool, mut arguments, says) in ways {
        let gateway = Gateway::start_with(tools.path(), &OPEN);
        gateway.configure("namespaces: { leaks: { redact: false } }\n");
        assert_eq!(gateway.reload()["ok"], true);
        if arguments["place"] == data {
            arguments["place"] = json!(gateway.data_folder());
        }
        let leaked = gateway
            .http()
            .post(&format!("/leaks/tools/{tool}"), &arguments, &[]);
        assert_eq!(leaked.status, 200, "{leaked:?}");
        let file = gateway.data_folder().join("data.leak");
        let noticed = panic::catch_unwind(panic::AssertUnwindSafe(|| drop(gateway)));
        fs::remove_file(file).ok();
        fs::remove_file(folder.join("eaks.leak")).ok();
        let told = *noticed.expect_err(says).downcast::<String>().unwrap();
        assert!(
            told.contains(says) && told.contains("a secret of every worker"),
            "{told}"
        );
    }
}

/// The same for what the system shows to everybody: a folder that is named by a token, and a variable at the start of the core. The
/// second is shown to root only, as the core shuts everybody else out.
#[test]
fn f53_a_test_notices_what_processes_show() {
    let tools = Tools::new();
    tools.write("leaks", "leaks.py", LEAKS);
    let folder = Tools::new();
    folder.write(&format!("{TOKEN}/leaks"), "leaks.py", LEAKS);
    let root = rustix::process::geteuid().is_root();
    let ways = [
        (
            folder.path().join(TOKEN),
            ("A_VARIABLE", ""),
            "the command line `",
            true,
        ),
        (
            tools.path().to_owned(),
            ("A_VARIABLE", SECRET),
            "the environment of `",
            root,
        ),
    ];
    for (tools, variable, says, there) in ways {
        let gateway = Gateway::start_with(&tools, &[OPEN[0], variable]);
        let noticed = panic::catch_unwind(panic::AssertUnwindSafe(|| drop(gateway)));
        let told = noticed.err().map(|told| *told.downcast::<String>().unwrap());
        assert_eq!(told.is_some_and(|told| told.contains(says)), there, "{says}");
    }
}
