//! Workers that die, hang, flood and leave children behind.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::json;
use tokio::time::timeout;
use tooldock_engine::{Change, ErrorKind, RawJson, ToolEngine as _};
use tooldock_worker::{WorkerEngine, WorkerHost, WorkerState};

use crate::shop::{Quiet, Tools, call, cx, host, serve, settings, text, until};

const LONG: Duration = Duration::from_secs(20);
const SLOW: &str = "
import asyncio, os, subprocess, sys, threading, time
from tooldock import tool

@tool
async def wait(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return 'woke'

@tool
def pid() -> int:
    return os.getpid()

@tool
async def leave(status: int) -> str:
    os.write(2, b'these are my last words\\n')
    os._exit(status)

@tool
def child() -> int:
    return subprocess.Popen(['sleep', '600']).pid

@tool
def fork() -> int:
    pid = os.fork()
    if pid == 0:
        time.sleep(600)
    return pid
";

fn process(number: u32) -> Pid {
    Pid::from_raw(i32::try_from(number).unwrap()).unwrap()
}

/// Whether there is such a process that is not just waiting to be reaped.
fn lives(pid: Pid) -> bool {
    let zombie = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        stat.is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
    };
    test_kill_process(pid).is_ok() && !zombie()
}

async fn serving_again(engine: &WorkerEngine, old: Option<u32>) {
    let again = until(|| engine.pid().is_some() && engine.pid() != old);
    timeout(LONG, again).await.expect("a new process serves");
}

/// R1: a killed worker fails its open calls within a second, nothing else, and serves again within two.
#[tokio::test]
async fn r1_killing_a_worker_fails_its_open_calls_and_no_more() {
    let (_tools, engine) = serve(SLOW).await;
    let (_other_tools, other) = serve(SLOW).await;
    let old = engine.pid();
    let calls = join_all((0..20).map(|_| call(&engine, "wait", json!({"seconds": 60}))));
    let neighbour = call(&other, "wait", json!({"seconds": 1}));
    let kill = async {
        // All twenty have arrived once a later call of the same connection is answered.
        call(&engine, "pid", json!({})).await.unwrap();
        kill_process(process(old.unwrap()), Signal::KILL).unwrap();
        Instant::now()
    };
    let (calls, neighbour, killed) = timeout(LONG, async {
        tokio::join!(async { (calls.await, Instant::now()) }, neighbour, kill)
    })
    .await
    .expect("nothing hangs");
    let (outputs, answered) = calls;
    assert!(
        answered - killed < Duration::from_secs(1),
        "{:?}",
        answered - killed
    );
    assert_eq!(outputs.len(), 20);
    for output in outputs {
        let error = output.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Crashed);
        assert!(error.message().contains("signal 9"), "{error}");
    }
    assert_eq!(text(&neighbour.unwrap()), "woke");
    serving_again(&engine, old).await;
    assert_eq!(
        text(&call(&engine, "wait", json!({"seconds": 0})).await.unwrap()),
        "woke"
    );
    assert!(
        killed.elapsed() < Duration::from_secs(2),
        "{:?}",
        killed.elapsed()
    );
    assert!(
        !lives(process(old.unwrap())) && test_kill_process(process(old.unwrap())).is_err(),
        "no zombie stays"
    );
}

#[tokio::test]
async fn a_crash_is_told_with_its_status_and_last_words() {
    let (_tools, engine) = serve(SLOW).await;
    let old = engine.pid();
    let error = call(&engine, "leave", json!({"status": 7})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    assert!(
        error.message().contains("exit code 7") && error.message().contains("these are my last words"),
        "{error}"
    );
    let error = call(&engine, "pid", json!({})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(error.retry_after().is_some());
    serving_again(&engine, old).await;
}

#[tokio::test]
async fn descendants_go_with_their_worker() {
    for tool in ["child", "fork"] {
        let (_tools, engine) = serve(SLOW).await;
        let old = engine.pid();
        let output = call(&engine, tool, json!({})).await.unwrap();
        let child = process(text(&output).parse().unwrap());
        assert!(lives(child), "{tool}");
        kill_process(process(old.unwrap()), Signal::KILL).unwrap();
        timeout(LONG, until(|| !lives(child)))
            .await
            .unwrap_or_else(|_| panic!("{tool} outlived its worker"));
        serving_again(&engine, old).await;
        let output = call(&engine, tool, json!({})).await.unwrap();
        let child = process(text(&output).parse().unwrap());
        let worker = process(engine.pid().unwrap());
        drop(engine);
        timeout(LONG, until(|| !lives(child) && !lives(worker)))
            .await
            .unwrap_or_else(|_| panic!("{tool} outlived its engine"));
    }
}

#[tokio::test]
async fn shutdown_lets_running_calls_end_up_to_its_grace() {
    let (_tools, engine) = serve(SLOW).await;
    let worker = process(engine.pid().unwrap());
    let (short, long) = (
        call(&engine, "wait", json!({"seconds": 0.3})),
        call(&engine, "wait", json!({"seconds": 60})),
    );
    let stop = async {
        call(&engine, "pid", json!({})).await.unwrap();
        let started = Instant::now();
        engine.shutdown(Duration::from_secs(1)).await;
        started.elapsed()
    };
    let (short, long, took) = timeout(LONG, async { tokio::join!(short, long, stop) })
        .await
        .expect("nothing hangs");
    assert_eq!(text(&short.unwrap()), "woke");
    let error = long.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::Cancelled),
        "{error:?}"
    );
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(!lives(worker));
    assert_eq!(engine.report().state, WorkerState::Stopped);
}

#[tokio::test]
async fn a_hanging_or_dying_import_is_an_error_and_leaves_nothing() {
    let tools = Tools::with(&[(
        "demo/t.py",
        "import time\nopen('pid', 'w').write(str(__import__('os').getpid()))\ntime.sleep(600)\n",
    )]);
    let mut short = settings(crate::shop::data());
    short.limits.start_time = Duration::from_secs(3);
    let error = WorkerHost::new(short)
        .start(&tools.only(), Default::default(), &Quiet)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Dependency);
    assert!(error.message().contains("WORKER_START_SECONDS"), "{error}");
    let pid: u32 = std::fs::read_to_string(tools.path("demo/pid"))
        .unwrap()
        .parse()
        .unwrap();
    assert!(!lives(process(pid)));
    tools.write(
        "demo/t.py",
        "import os, sys\nprint('no way', file=sys.stderr, flush=True)\nos._exit(3)\n",
    );
    let error = host()
        .start(&tools.only(), Default::default(), &Quiet)
        .await
        .unwrap_err();
    assert!(
        error.message().contains("exit code 3") && error.message().contains("no way"),
        "{error}"
    );
}

#[tokio::test]
async fn a_worker_that_comes_back_different_says_so() {
    let (tools, engine) = serve(SLOW).await;
    let mut changes = engine.changes(&cx(), &[]);
    let old = engine.pid();
    tools.write(
        "demo/more.py",
        "from tooldock import tool\n@tool\ndef more() -> str:\n    return 'x'\n",
    );
    kill_process(process(old.unwrap()), Signal::KILL).unwrap();
    assert_eq!(
        timeout(LONG, changes.next()).await.expect("a hint comes"),
        Some(Change::Tools)
    );
    assert!(engine.catalog(&cx()).await.unwrap().tool("more").is_some());
    call(&engine, "more", json!({})).await.unwrap();
}

/// S86: what a tool prints is not protocol, whatever it looks like; a closed channel is a crash like any other.
#[tokio::test]
async fn s86_prints_cannot_forge_frames() {
    let (_tools, engine) = serve(
        r#"
import os, sys
from tooldock import tool

@tool
def forge() -> str:
    line = '{"op":"ready","protocol":1,"tools":[]}\n{"id":1,"ok":true,"result":{"content":[],"isError":false}}\n'
    for stream in (sys.stdout, sys.stderr):
        print(line, file=stream, flush=True)
    os.write(1, line.encode()); os.write(2, line.encode()); os.write(1, b'\xff\xfe' + b'x' * 100_000)
    for _ in range(3000):
        print('flood')
    return 'honest'

@tool
async def close() -> str:
    os.closerange(0, 100)
    return 'x'
"#,
    )
    .await;
    let output = timeout(LONG, call(&engine, "forge", json!({})))
        .await
        .expect("no flood blocks")
        .unwrap();
    assert_eq!(text(&output), "honest");
    assert_eq!(engine.catalog(&cx()).await.unwrap().tools().len(), 2);
    let old = engine.pid();
    let error = timeout(LONG, call(&engine, "close", json!({})))
        .await
        .expect("no hang")
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    serving_again(&engine, old).await;
    assert_eq!(text(&call(&engine, "forge", json!({})).await.unwrap()), "honest");
}

#[tokio::test]
async fn a_dropped_call_frees_its_worker() {
    let (_tools, engine) = serve(
        "import asyncio\nfrom tooldock import tool\nended = 0\n@tool\nasync def wait() -> str:\n    global ended\n    try:\n        await asyncio.sleep(600)\n    finally:\n        ended += 1\n@tool\nasync def count() -> int:\n    return ended\n",
    )
    .await;
    timeout(Duration::from_millis(300), call(&engine, "wait", json!({})))
        .await
        .expect_err("it waits");
    let freed = async { while text(&call(&engine, "count", json!({})).await.unwrap()) != "1" {} };
    timeout(LONG, freed).await.expect("the call was cancelled");
    let large = RawJson::string(&"x".repeat(17 << 20));
    let error = timeout(LONG, async {
        tooldock_engine::EngineExt::call_tool(&engine, cx(), "count", large)
            .await
            .unwrap_err()
    });
    assert_eq!(error.await.expect("no hang").kind(), ErrorKind::RequestTooLarge);
}

/// R2: a worker that ends at every start is called failed with its reason, is left alone, and recovers once it is mended.
#[tokio::test]
async fn r2_a_crash_loop_is_told_and_can_be_mended() {
    let (tools, engine) = serve(SLOW).await;
    tools.write(
        "demo/tools.py",
        "import os\nos.write(2, b'the disk is gone\\n')\nos._exit(4)\n",
    );
    kill_process(process(engine.pid().unwrap()), Signal::KILL).unwrap();
    let failed = engine.reached(|state| matches!(state, WorkerState::Failed { .. }));
    assert!(
        timeout(Duration::from_secs(50), failed)
            .await
            .expect("the loop is noticed")
    );
    let error = call(&engine, "pid", json!({})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    for part in ["exit code 4", "the disk is gone"] {
        assert!(error.message().contains(part), "{error}");
    }
    assert!(
        error
            .retry_after()
            .is_some_and(|wait| wait > Duration::from_secs(20)),
        "{error:?}"
    );
    assert_eq!(
        (engine.pid(), engine.catalog(&cx()).await.unwrap().tools().len()),
        (None, 5),
        "the last good list stays"
    );
    tools.write("demo/tools.py", SLOW);
    engine.retry();
    let serving = engine.reached(|state| *state == WorkerState::Serving);
    assert!(timeout(LONG, serving).await.expect("a retry does not wait"));
    assert_eq!(
        text(&call(&engine, "wait", json!({"seconds": 0})).await.unwrap()),
        "woke"
    );
}

/// S85: a worker that breaks the protocol is stopped, its calls are told, and a new one serves.
#[tokio::test]
async fn s85_garbage_on_the_channel_ends_the_worker_and_a_new_one_serves() {
    let (_tools, engine) = serve(
        "
import asyncio, os, stat
from tooldock import tool

@tool
async def spoil() -> str:
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.write(fd, b'%$! no frame\\n')
        except OSError:
            pass
    await asyncio.sleep(600)

@tool
async def fine() -> str:
    return 'fine'
",
    )
    .await;
    let old = engine.pid();
    let error = timeout(LONG, call(&engine, "spoil", json!({})))
        .await
        .expect("no hang")
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    assert!(error.message().contains("sent a frame that is none"), "{error}");
    serving_again(&engine, old).await;
    assert!(!lives(process(old.unwrap())));
    assert_eq!(text(&call(&engine, "fine", json!({})).await.unwrap()), "fine");
}
