//! Workers that die: what their callers hear, and how they come back.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rustix::process::{Signal, kill_process, test_kill_process};
use serde_json::json;
use tokio::time::timeout;
use tooldock_engine::{Change, ErrorKind, ToolEngine as _};
use tooldock_worker::{WorkerEngine, WorkerState};

use crate::{
    log::Log,
    process::{LONG, SLOW, lives, process, serving_again, soon},
    shop::{call, cx, serve, text, until},
};

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
async fn a_crash_is_told_with_its_status_and_its_last_words_to_the_operator_alone() {
    let log = Log::default();
    let _logs = tracing::subscriber::set_default(log.clone());
    let (_tools, engine) = serve(SLOW).await;
    let old = engine.pid();
    let error = call(&engine, "leave", json!({"status": 7})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    assert!(
        error.message().contains("exit code 7") && !error.message().contains("last words"),
        "{error}"
    );
    soon(until(|| {
        log.has(&["WARN", "exit code 7", "these are my last words"])
    }))
    .await;
    let error = call(&engine, "pid", json!({})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(error.retry_after().is_some());
    serving_again(&engine, old).await;
}

/// R13: a worker that the system kills, as it does when memory runs out, is told as such; its callers hear what killed it.
#[tokio::test]
async fn r13_a_killed_worker_is_told_to_the_operator_with_what_it_may_be() {
    let log = Log::default();
    let _logs = tracing::subscriber::set_default(log.clone());
    let (_tools, engine) = serve(SLOW).await;
    let old = engine.pid();
    let kill = async {
        call(&engine, "pid", json!({})).await.unwrap();
        kill_process(process(old.unwrap()), Signal::KILL).unwrap();
    };
    let (output, ()) =
        soon(async { tokio::join!(call(&engine, "wait", json!({"seconds": 60})), kill) }).await;
    assert!(output.unwrap_err().message().contains("signal 9"));
    soon(until(|| log.has(&["WARN", "memory runs out"]))).await;
    serving_again(&engine, old).await;
}

/// What kills a process by a fault of its own is named; what an earlier caller's tool said is not.
#[tokio::test]
async fn a_fatal_signal_is_named_without_what_was_said_before() {
    let (_tools, engine) = serve(
        "import os\nfrom tooldock import tool\n@tool\ndef whisper() -> str:\n    os.write(2, b'for the first caller\\n')\n    return 'x'\n@tool\ndef fault() -> str:\n    import ctypes\n    return ctypes.string_at(0)\n",
    )
    .await;
    call(&engine, "whisper", json!({})).await.unwrap();
    let error = soon(call(&engine, "fault", json!({}))).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    assert!(
        error
            .message()
            .contains("(signal 11, Fatal Python error: Segmentation fault)"),
        "{error}"
    );
    assert!(!error.message().contains("for the first caller"), "{error}");
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
    assert!(engine.catalog(&cx()).unwrap().tool("more").is_some());
    call(&engine, "more", json!({})).await.unwrap();
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
    assert!(
        error.message().contains("exit code 4") && !error.message().contains("the disk is gone"),
        "{error}"
    );
    let said = engine.log_tail(100);
    assert!(
        said.iter().any(|line| line.text == "the disk is gone"),
        "the operator is told: {said:?}"
    );
    assert!(
        error
            .retry_after()
            .is_some_and(|wait| wait > Duration::from_secs(20)),
        "{error:?}"
    );
    assert_eq!(
        (engine.pid(), engine.catalog(&cx()).unwrap().tools().len()),
        (None, 5),
        "the last good list stays"
    );
    // Each order to try again is followed at once, however often it was in vain.
    let next = |engine: &WorkerEngine| match engine.report().state {
        WorkerState::Failed { next, .. } => Some(next),
        _ => None,
    };
    let before = next(&engine);
    engine.retry();
    let again = until(|| next(&engine).is_some() && next(&engine) != before);
    timeout(LONG, again).await.expect("a trial in vain does not wait");
    tools.write("demo/tools.py", SLOW);
    engine.retry();
    let serving = engine.reached(|state| *state == WorkerState::Serving);
    assert!(timeout(LONG, serving).await.expect("a retry does not wait"));
    assert_eq!(
        text(&call(&engine, "wait", json!({"seconds": 0})).await.unwrap()),
        "woke"
    );
}

/// R21: a file that broke takes no tool out of the list when the worker starts again; a call is told where it broke.
#[tokio::test]
async fn r21_a_worker_that_comes_back_with_a_broken_file_keeps_its_list() {
    const OTHER: &str = "from tooldock import tool\n@tool\ndef other() -> str:\n    return 'x'\n";
    let (tools, engine) = serve(SLOW).await;
    tools.write("demo/other.py", OTHER);
    let old = engine.pid();
    kill_process(process(old.unwrap()), Signal::KILL).unwrap();
    serving_again(&engine, old).await;
    let published = engine.catalog(&cx()).unwrap();
    assert_eq!(published.tools().len(), 6);

    for _ in 0..2 {
        tools.write("demo/other.py", "from tooldock import tool\n@tool\ndef other(\n");
        let old = engine.pid();
        kill_process(process(old.unwrap()), Signal::KILL).unwrap();
        serving_again(&engine, old).await;
        let catalog = engine.catalog(&cx()).unwrap();
        assert_eq!(catalog.digest(), published.digest(), "the list stays");
        call(&engine, "pid", json!({})).await.unwrap();
        let error = call(&engine, "other", json!({})).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Dependency);
        assert!(
            error.message().contains("`other`") && error.message().contains("other.py, line 3: "),
            "{error}"
        );
        assert_eq!(engine.report().errors[0].file, "other.py");
    }

    // The file is as it was, so no new version comes; an order to try again brings the tool back.
    tools.write("demo/other.py", OTHER);
    engine.retry();
    soon(until(|| engine.report().errors.is_empty())).await;
    assert_eq!(text(&call(&engine, "other", json!({})).await.unwrap()), "x");

    // What its author takes out is gone.
    std::fs::remove_file(tools.path("demo/other.py")).unwrap();
    let old = engine.pid();
    kill_process(process(old.unwrap()), Signal::KILL).unwrap();
    serving_again(&engine, old).await;
    assert_eq!(engine.catalog(&cx()).unwrap().tools().len(), 5);
}
