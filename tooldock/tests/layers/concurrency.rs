//! Limits on how many calls run at once.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::Instant};
use tooldock::layers::ConcurrencyLayer;
use tooldock_engine::{
    CallContext, EngineError, EngineExt as _, EngineLayer as _, EngineReply, ErrorKind, RawJson, ToolEngine,
    ToolOutput,
    testing::{Answering, EngineMock},
};

use crate::engine::{cx, layered, mock};

type Calls = JoinSet<Result<ToolOutput, EngineError>>;

fn start(calls: &mut Calls, engine: &Arc<dyn ToolEngine>, cx: CallContext) {
    start_tool(calls, engine, cx, "a");
}

fn start_tool(calls: &mut Calls, engine: &Arc<dyn ToolEngine>, cx: CallContext, tool: &'static str) {
    let engine = engine.clone();
    calls.spawn(async move { engine.call_tool(cx, tool, RawJson::empty_object()).await });
}

/// The next call that runs, if one starts without any time passing.
async fn running(mock: &EngineMock) -> Option<Answering> {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    tokio::select! {
        biased;
        call = mock.next() => Some(call),
        () = std::future::ready(()) => None,
    }
}

fn done(call: Answering) {
    call.answer(Ok(EngineReply::Tool(ToolOutput::text("done"))));
}

#[tokio::test(start_paused = true)]
async fn only_so_many_calls_run_and_the_others_follow_in_order() {
    let mock = mock();
    let engine = layered(&ConcurrencyLayer::new(2), mock.clone());
    let mut calls = Calls::new();
    for id in 0..5 {
        start(&mut calls, &engine, cx().with_request_id(id.to_string()));
        tokio::task::yield_now().await;
    }
    let (first, second) = (running(&mock).await.unwrap(), running(&mock).await.unwrap());
    assert!(running(&mock).await.is_none(), "a third call runs");
    let mut order = vec![
        first.cx.request_id().to_owned(),
        second.cx.request_id().to_owned(),
    ];
    let mut busy = vec![second, first];
    while let Some(call) = busy.pop() {
        done(call);
        if let Some(next) = running(&mock).await {
            order.push(next.cx.request_id().to_owned());
            busy.insert(0, next);
        }
    }
    assert_eq!(order, ["0", "1", "2", "3", "4"]);
    while let Some(reply) = calls.join_next().await {
        assert!(reply.unwrap().is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_refuses_at_once_and_a_long_wait_later() {
    let mock = mock();
    let layer = ConcurrencyLayer::new(1).with_queue(1, Duration::from_secs(5));
    let engine = layered(&layer, mock.clone());
    let mut calls = Calls::new();
    start(&mut calls, &engine, cx());
    let first = running(&mock).await.unwrap();
    start(&mut calls, &engine, cx());
    assert!(running(&mock).await.is_none());

    let begin = Instant::now();
    let error = engine
        .call_tool(cx(), "a", RawJson::empty_object())
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), begin.elapsed()),
        (ErrorKind::Overloaded, Duration::ZERO)
    );
    assert!(error.retry_after().is_some());
    for part in ["`demo`", "`NAMESPACE_MAX_CONCURRENCY`", "(1)", "no more may wait"] {
        assert!(error.message().contains(part), "{error}");
    }
    let error = calls.join_next().await.unwrap().unwrap().unwrap_err();
    assert_eq!(
        (error.kind(), begin.elapsed()),
        (ErrorKind::Overloaded, Duration::from_secs(5))
    );
    assert!(error.message().contains("within 5 s"), "{error}");
    done(first);
    assert!(calls.join_next().await.unwrap().unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn f26_calls_that_hold_a_thread_are_counted_apart() {
    let mock = mock();
    let layer = ConcurrencyLayer::new(1).with_queue(1, Duration::from_secs(5));
    let engine = layered(&layer, mock.clone());
    let mut calls = Calls::new();
    for _ in 0..3 {
        start_tool(&mut calls, &engine, cx(), "blocking");
    }
    let blocking = running(&mock).await.unwrap();
    assert!(running(&mock).await.is_none(), "a second one runs");
    let error = calls.join_next().await.unwrap().unwrap().unwrap_err();
    assert_eq!(
        error.kind(),
        ErrorKind::Overloaded,
        "one waits, and the third may not"
    );

    start(&mut calls, &engine, cx());
    let other = running(&mock).await.expect("a tool that holds no thread runs");
    start(&mut calls, &engine, cx());
    assert!(running(&mock).await.is_none(), "the limit holds for these, too");
    done(blocking);
    let next = running(&mock).await.expect("a permit of its kind is free");
    assert_eq!(next.request.tool().unwrap().as_str(), "blocking");
    done(other);
    let next = running(&mock).await.expect("a permit of its kind is free");
    assert_eq!(next.request.tool().unwrap().as_str(), "a");
}

#[tokio::test(start_paused = true)]
async fn the_default_queue_holds_64() {
    let mock = mock();
    let engine = layered(&ConcurrencyLayer::new(1), mock.clone());
    let mut calls = Calls::new();
    for _ in 0..65 {
        start(&mut calls, &engine, cx());
    }
    let _first = running(&mock).await.unwrap();
    let begin = Instant::now();
    let error = engine
        .call_tool(cx(), "a", RawJson::empty_object())
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), begin.elapsed()),
        (ErrorKind::Overloaded, Duration::ZERO)
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_its_client_leaves_its_place() {
    let mock = mock();
    let engine = layered(&ConcurrencyLayer::new(1), mock.clone());
    let mut calls = Calls::new();
    start(&mut calls, &engine, cx());
    let asking = running(&mock).await.unwrap();
    start(&mut calls, &engine, cx());
    assert!(running(&mock).await.is_none());

    let pause = asking.cx.clock().pause();
    let second = running(&mock)
        .await
        .expect("the place is free while the first call asks");
    drop(pause);
    start(&mut calls, &engine, cx());
    assert!(
        running(&mock).await.is_none(),
        "the first call goes on and the second runs"
    );
    done(second);
    assert!(
        running(&mock).await.is_none(),
        "the first call has its place again"
    );
    done(asking);
    done(running(&mock).await.expect("both places are free"));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_or_dropped_call_leaves_the_queue() {
    let mock = mock();
    let layer = ConcurrencyLayer::new(1).with_queue(1, Duration::from_secs(5));
    let engine = layered(&layer, mock.clone());
    let mut calls = Calls::new();
    start(&mut calls, &engine, cx());
    let first = running(&mock).await.unwrap();
    let waiting = cx();
    start(&mut calls, &engine, waiting.clone());
    assert!(running(&mock).await.is_none());
    waiting.cancelled().cancel();
    let error = calls.join_next().await.unwrap().unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);

    let dropped = tokio::time::timeout(
        Duration::from_secs(1),
        engine.call_tool(cx(), "a", RawJson::empty_object()),
    );
    assert!(dropped.await.is_err());
    start(&mut calls, &engine, cx());
    done(first);
    done(running(&mock).await.expect("the queue had a place"));
}

#[tokio::test(start_paused = true)]
async fn the_limit_outlives_the_engine_and_belongs_to_one_namespace() {
    use tooldock_engine::EngineLayer as _;
    let layer = ConcurrencyLayer::new(1);
    let (old, new, other) = (mock(), mock(), mock());
    let mut calls = Calls::new();
    start(&mut calls, &layered(&layer, old.clone()), cx());
    let first = running(&old).await.unwrap();
    start(&mut calls, &layered(&layer, new.clone()), cx());
    assert!(
        running(&new).await.is_none(),
        "the engine was exchanged, the limit was not"
    );
    start(
        &mut calls,
        &layer.layer(&"other".parse().unwrap(), other.clone()),
        cx(),
    );
    done(
        running(&other)
            .await
            .expect("another namespace has its own limit"),
    );
    done(first);
    done(running(&new).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn s27_all_namespaces_share_a_limit_and_a_busy_one_waits_within_its_own() {
    let (busy, quiet) = (mock(), mock());
    let layer = ConcurrencyLayer::new(2)
        .with_queue(8, Duration::from_secs(5))
        .with_total(2);
    let mount = |name: &str, mock: &Arc<EngineMock>| layer.layer(&name.parse().unwrap(), mock.clone());
    let engines = [mount("busy", &busy), mount("quiet", &quiet)];
    let mut calls = Calls::new();
    for _ in 0..6 {
        start(&mut calls, &engines[0], cx());
    }
    let [first, _second] = [running(&busy).await.unwrap(), running(&busy).await.unwrap()];
    start(&mut calls, &engines[1], cx());
    assert!(running(&quiet).await.is_none(), "all that may run at once run");
    done(first);
    let call = running(&quiet).await;
    assert!(
        call.is_some(),
        "the others of the busy one wait for their own namespace first"
    );
    let error = loop {
        match calls.join_next().await.unwrap().unwrap() {
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::Overloaded);
    assert!(
        error.message().contains("`MAX_CONCURRENCY`") && error.retry_after().is_some(),
        "{error}"
    );
}

/// Under the limit of all, a namespace and a principal with many calls that wait get no more turns than those with one.
#[tokio::test(start_paused = true)]
async fn s27_turns_are_taken_between_namespaces_and_principals() {
    let layer = ConcurrencyLayer::new(100).with_total(1);
    let (mock, mut calls) = (mock(), Calls::new());
    let engine = |name: &str| layer.layer(&name.parse().unwrap(), Arc::new(mock.clone()));
    let (busy, quiet) = (engine("busy"), engine("quiet"));
    let by = |namespace: &str, who: &str| {
        let caller = tooldock_engine::Caller {
            principal: tooldock_engine::context::Principal::new(who),
            ..tooldock_engine::Caller::local()
        };
        let cx = CallContext::new(caller, namespace.parse().unwrap());
        cx.with_request_id(format!("{namespace} {who}"))
    };
    start(&mut calls, &busy, by("busy", "first"));
    let mut last = running(&mock).await.expect("the first runs");
    let waiting = [
        (&busy, "busy", "ann"),
        (&busy, "busy", "ann"),
        (&busy, "busy", "ann"),
        (&busy, "busy", "ann"),
        (&busy, "busy", "bob"),
        (&quiet, "quiet", "ann"),
        (&quiet, "quiet", "ann"),
    ];
    for (engine, namespace, who) in waiting {
        start(&mut calls, engine, by(namespace, who));
        assert!(running(&mock).await.is_none());
    }
    let mut order = Vec::new();
    for _ in waiting {
        done(last);
        last = running(&mock).await.expect("the next runs");
        order.push(last.cx.request_id().to_owned());
    }
    done(last);
    let expected = [
        "busy ann",
        "quiet ann",
        "busy bob",
        "quiet ann",
        "busy ann",
        "busy ann",
        "busy ann",
    ];
    assert_eq!(order, expected);
}

/// Who gives up in the queue takes no turn, and loses no place.
#[tokio::test(start_paused = true)]
async fn s27_a_call_that_gives_up_takes_no_turn() {
    let layer = ConcurrencyLayer::new(100)
        .with_total(1)
        .with_queue(10, Duration::from_secs(5));
    let (mock, mut calls) = (mock(), Calls::new());
    let engine = layer.layer(&"demo".parse().unwrap(), Arc::new(mock.clone()));
    start(&mut calls, &engine, cx());
    let first = running(&mock).await.expect("the first runs");
    start(&mut calls, &engine, cx());
    assert!(running(&mock).await.is_none());
    let refused = calls.join_next().await.unwrap().unwrap().unwrap_err();
    assert!(refused.to_string().contains("MAX_CONCURRENCY"), "{refused}");
    start(&mut calls, &engine, cx().with_request_id("third"));
    assert!(running(&mock).await.is_none());
    done(first);
    assert_eq!(
        running(&mock).await.expect("the third runs").cx.request_id(),
        "third"
    );
}
