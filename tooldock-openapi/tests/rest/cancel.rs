//! A call lives as long as its exchange.

use std::sync::Arc;

use axum::body::Body;
use http::{Request, header::CONTENT_TYPE};
use tooldock_engine::{Door, EngineReply, ToolOutput, testing::EngineMock};
use tower::ServiceExt as _;

use crate::app::{app, catalog, tool};

#[tokio::test]
async fn a_client_that_leaves_cancels_its_call() {
    let engine = Arc::new(EngineMock::new(catalog([tool("slow")])));
    let request = Request::post("/tools/slow")
        .header("traceparent", "00-1-2-01")
        .body(Body::empty())
        .unwrap();
    let exchange = app(engine.clone()).oneshot(request);
    let mut running = {
        tokio::pin!(exchange);
        tokio::select! {
            _ = &mut exchange => unreachable!("nobody has answered"),
            running = engine.next() => running,
        }
    };
    running.abandoned().await;
    assert!(running.cx.cancelled().is_cancelled());
    assert_eq!(running.cx.caller().door, Door::Rest);
    assert_eq!(
        (running.cx.request_id(), running.cx.namespace().as_str()),
        ("r-1", "demo")
    );
    assert_eq!(running.cx.trace().parent.as_deref(), Some("00-1-2-01"));
}

#[tokio::test]
async fn a_call_that_is_answered_was_not_cancelled_before() {
    let engine = Arc::new(EngineMock::new(catalog([tool("slow")])));
    let request = Request::post("/tools/slow")
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from("{}"))
        .unwrap();
    let serving = async {
        let running = engine.next().await;
        assert!(!running.cx.cancelled().is_cancelled());
        running.answer(Ok(EngineReply::Tool(ToolOutput::text("done"))));
    };
    let (answer, ()) = tokio::join!(app(engine.clone()).oneshot(request), serving);
    assert_eq!(answer.unwrap().status(), 200);
}
