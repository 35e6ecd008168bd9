//! The ends of workers and calls: nothing stays behind.

use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};
use serde_json::json;
use tokio::time::timeout;
use tooldock_engine::{ErrorKind, RawJson, ToolEngine as _};
use tooldock_worker::{NamespaceOptions, WorkerHost, WorkerState};

use crate::{
    log::Log,
    process::{LONG, SLOW, lives, process, serving_again},
    shop::{Quiet, Tools, call, cx, data, host, serve, serve_by, settings, text, until},
};

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

/// S89: a process that forks twice, leaves its session and ignores signals goes with its worker as well, however that ends; what the
/// program that embeds the gateway has started stays.
#[tokio::test]
async fn s89_what_escapes_goes_with_its_worker_and_with_nobody_else() {
    const ESCAPE: &str = "
import os, signal, time
from tooldock import tool

@tool
def escape() -> int:
    place = f'stray-{time.monotonic_ns()}'
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP})
            with open(place + '.new', 'w') as file:
                file.write(str(os.getpid()))
            os.rename(place + '.new', place)
            time.sleep(600)
        os._exit(0)
    while not os.path.exists(place):
        time.sleep(0.005)
    return int(open(place).read())
";
    let mut bystander = tokio::process::Command::new("setsid")
        .args(["sleep", "600"])
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    for way in [
        "worker is killed",
        "engine is dropped",
        "engine is shut down",
        "worker is stopped",
    ] {
        let mut settings = settings(data());
        settings.limits.ping_interval = Duration::from_millis(200);
        let host = WorkerHost::new(settings);
        let (_tools, engine) = serve_by(&host, ESCAPE, &NamespaceOptions::default()).await;
        let output = call(&engine, "escape", json!({})).await.unwrap();
        let stray = process(text(&output).parse().unwrap());
        let worker = process(engine.pid().unwrap());
        assert!(lives(stray), "{way}");
        let kept = match way {
            "worker is killed" => kill_process(worker, Signal::KILL).map(|()| Some(engine)).unwrap(),
            "worker is stopped" => kill_process(worker, Signal::STOP).map(|()| Some(engine)).unwrap(),
            "engine is shut down" => {
                engine.shutdown(Duration::from_secs(1)).await;
                Some(engine)
            }
            _ => {
                drop(engine);
                None
            }
        };
        timeout(Duration::from_secs(5), until(|| !lives(stray) && !lives(worker)))
            .await
            .unwrap_or_else(|_| panic!("{stray:?} lives on after the {way}"));
        drop(kept);
    }
    assert!(bystander.try_wait().unwrap().is_none(), "it is not ours to end");
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
    let log = Log::default();
    let _logs = tracing::subscriber::set_default(log.clone());
    let tools = Tools::with(&[(
        "demo/t.py",
        "import time\nopen('pid', 'w').write(str(__import__('os').getpid()))\ntime.sleep(600)\n",
    )]);
    let mut short = settings(data());
    short.limits.start_time = Duration::from_secs(3);
    let error = WorkerHost::new(short)
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Default::default(),
            &Quiet,
        )
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
        .start(
            &tools.only(),
            &NamespaceOptions::default(),
            Default::default(),
            &Quiet,
        )
        .await
        .unwrap_err();
    assert!(
        error.message().contains("exit code 3") && !error.message().contains("no way"),
        "{error}"
    );
    assert!(log.has(&["WARN", "exit code 3", "no way"]), "{log:?}");
}

/// R16: the work of a call that nobody waits for any more ends within a second.
#[tokio::test]
async fn r16_a_dropped_call_frees_its_worker() {
    let (_tools, engine) = serve(
        "import asyncio\nfrom tooldock import tool\nended = 0\n@tool\nasync def wait() -> str:\n    global ended\n    try:\n        await asyncio.sleep(600)\n    finally:\n        ended += 1\n@tool\nasync def count() -> int:\n    return ended\n",
    )
    .await;
    timeout(Duration::from_millis(300), call(&engine, "wait", json!({})))
        .await
        .expect_err("it waits");
    let freed = async { while text(&call(&engine, "count", json!({})).await.unwrap()) != "1" {} };
    timeout(Duration::from_secs(1), freed)
        .await
        .expect("the call was cancelled");
    let large = RawJson::string(&"x".repeat(17 << 20));
    let error = timeout(LONG, async {
        tooldock_engine::EngineExt::call_tool(&engine, cx(), "count", large)
            .await
            .unwrap_err()
    });
    assert_eq!(error.await.expect("no hang").kind(), ErrorKind::RequestTooLarge);
}
