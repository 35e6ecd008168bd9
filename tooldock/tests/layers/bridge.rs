//! Real Tower layers around engines, and an engine inside a Tower stack.

use std::{error::Error, fmt, time::Duration};

use futures_util::FutureExt as _;
use tooldock_engine::{
    Change, EngineError, EngineExt as _, EngineReply, EngineRequest, ErrorKind, RawJson, ToolEngine as _,
    ToolOutput,
    bridge::{EngineCall, EngineService, TowerLayer, engine_error},
    error::cause,
};
use tower::{
    ServiceBuilder, ServiceExt as _, layer::layer_fn, limit::GlobalConcurrencyLimitLayer, retry::Policy,
    timeout::TimeoutLayer,
};

use crate::engine::{cx, layered, mock, with_tools};

fn arguments() -> RawJson {
    RawJson::empty_object()
}

#[tokio::test(start_paused = true)]
async fn a_tower_timeout_bounds_a_call_and_is_told_as_one() {
    let engine = layered(
        &TowerLayer::new(TimeoutLayer::new(Duration::from_secs(3))),
        mock(),
    );
    let begin = tokio::time::Instant::now();
    let error = engine.call_tool(cx(), "a", arguments()).await.unwrap_err();
    assert_eq!(
        (error.kind(), begin.elapsed()),
        (ErrorKind::Timeout, Duration::from_secs(3))
    );
    assert!(
        cause::<tower::timeout::error::Elapsed>(&error).is_some(),
        "the log has the cause"
    );
}

#[tokio::test]
async fn a_tower_limit_and_load_shed_bound_calls_across_engines() {
    let limit = GlobalConcurrencyLimitLayer::new(1);
    let shed = ServiceBuilder::new()
        .load_shed()
        .layer(limit.clone())
        .into_inner();
    let (old, new) = (mock(), mock());
    let shedding = TowerLayer::new(shed);
    let (first, second) = (layered(&shedding, old.clone()), layered(&shedding, new.clone()));
    let mut running = first.call_tool(cx(), "a", arguments());
    assert!((&mut running).now_or_never().is_none());
    let error = second.call_tool(cx(), "a", arguments()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overloaded);

    // Without shedding a call waits for its turn, and can be cancelled there.
    let waiting = layered(&TowerLayer::new(limit), new.clone());
    let cx_of_waiting = cx();
    let mut call = waiting.call_tool(cx_of_waiting.clone(), "a", arguments());
    assert!((&mut call).now_or_never().is_none());
    cx_of_waiting.cancelled().cancel();
    assert_eq!(call.await.unwrap_err().kind(), ErrorKind::Cancelled);

    drop(running);
    let play = async {
        new.next()
            .await
            .answer(Ok(EngineReply::Tool(ToolOutput::text("1"))));
    };
    assert!(
        tokio::join!(second.call_tool(cx(), "a", arguments()), play)
            .0
            .is_ok()
    );
}

/// Repeats whatever failed, as often as it may.
#[derive(Clone)]
struct Always;

impl<E> Policy<EngineCall, EngineReply, E> for Always {
    type Future = std::future::Ready<()>;

    fn retry(&mut self, _call: &mut EngineCall, result: &mut Result<EngineReply, E>) -> Option<Self::Future> {
        result.is_err().then(|| std::future::ready(()))
    }

    fn clone_request(&mut self, _call: &EngineCall) -> Option<EngineCall> {
        // A call cannot be cloned.
        None
    }
}

#[tokio::test]
async fn a_call_is_never_repeated() {
    let inner = mock();
    let engine = layered(
        &TowerLayer::new(tower::retry::RetryLayer::new(Always)),
        inner.clone(),
    );
    let fail = async {
        let error = EngineError::new(ErrorKind::ToolFailed, "no");
        inner.next().await.answer(Err(error));
        inner.next().now_or_never().is_some()
    };
    let (reply, again) = tokio::join!(engine.call_tool(cx(), "a", arguments()), fail);
    assert_eq!(reply.unwrap_err().kind(), ErrorKind::ToolFailed);
    assert!(!again);
}

#[tokio::test]
async fn catalogs_changes_and_shutdown_go_straight_to_the_engine() {
    let inner = mock();
    let refusing = layer_fn(|_inner| {
        tower::service_fn(|_call: EngineCall| async { Err::<EngineReply, _>("closed".to_owned()) })
    });
    let engine = layered(&TowerLayer::new(refusing), inner.clone());
    let error = engine.call_tool(cx(), "a", arguments()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
    assert!(
        !error.message().contains("closed"),
        "a text that nobody knows is for the log"
    );
    let mut changes = engine.changes(&cx(), &[]);
    let catalog = tooldock_engine::Catalog::default();
    inner.change(catalog);
    assert_eq!(changes.next().await, Some(Change::Tools));
    assert!(engine.list_tools(&cx()).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_engine_is_a_tower_service() {
    let service = ServiceBuilder::new()
        .map_response(|reply: EngineReply| matches!(reply, EngineReply::Tool(output) if !output.failed))
        .concurrency_limit(1)
        .service(EngineService::new(std::sync::Arc::new(with_tools(&["a"]))));
    let call = |tool: &str| EngineCall {
        cx: cx(),
        request: EngineRequest::call_tool(tool.parse().unwrap(), arguments()),
    };
    assert!(service.clone().oneshot(call("a")).await.unwrap());
    let error = service.oneshot(call("b")).await.unwrap_err();
    assert_eq!(
        error.kind(),
        ErrorKind::UnknownTool,
        "errors are errors of the service"
    );
}

#[derive(Debug)]
struct Wrapped(EngineError);

impl fmt::Display for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wrapped")
    }
}

impl Error for Wrapped {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

#[test]
fn an_engine_error_comes_back_out_of_whatever_is_around_it() {
    let inner = EngineError::new(ErrorKind::Overloaded, "full")
        .with_details(RawJson::null())
        .with_retry_after(Duration::from_secs(9));
    let error = engine_error(Box::new(Wrapped(inner)));
    assert_eq!((error.kind(), error.message()), (ErrorKind::Overloaded, "full"));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(9)));
    assert_eq!(error.details(), Some(&RawJson::null()));
    assert!(cause::<Wrapped>(&error).is_some());
}
