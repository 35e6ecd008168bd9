//! Limits on how long a call takes.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::time::Instant;
use tooldock::layers::TimeoutLayer;
use tooldock_engine::{
    EngineExt as _, EngineReply, EngineRequest, ErrorKind, RawJson, ToolOutput,
    context::{Ask, AskKind, ClientChannel, Note},
    error::Result,
    request::ReadResource,
};

use crate::engine::{cx, layered, mock};

fn layer() -> TimeoutLayer {
    TimeoutLayer::new(Duration::from_secs(30))
}

#[tokio::test(start_paused = true)]
async fn a_call_ends_at_the_limit_and_is_cancelled() {
    let inner = mock();
    let engine = layered(&layer(), inner.clone());
    for (tool, seconds, limit) in [
        ("a", 30, "TOOL_CALL_TIMEOUT_SECONDS"),
        ("slow", 2, "its own `timeout`"),
    ] {
        let begin = Instant::now();
        let cx = cx();
        let (reply, mut running) = tokio::join!(
            engine.call_tool(cx.clone(), tool, RawJson::empty_object()),
            inner.next()
        );
        let error = reply.unwrap_err();
        assert_eq!(
            (error.kind(), begin.elapsed()),
            (ErrorKind::Timeout, Duration::from_secs(seconds))
        );
        for part in [format!("`{tool}`"), format!("{seconds} s"), limit.to_owned()] {
            assert!(error.message().contains(&part), "{error}");
        }
        running.abandoned().await;
        assert!(running.cx.cancelled().is_cancelled(), "the engine is told");
        assert!(!cx.cancelled().is_cancelled(), "the caller's token is its own");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_time_is_passed_on() {
    let inner = mock();
    let engine = layered(&layer(), inner.clone());
    let serving = async {
        let running = inner.next().await;
        tokio::time::advance(Duration::from_millis(29_900)).await;
        assert!(!running.cx.cancelled().is_cancelled());
        running.answer(Ok(EngineReply::Tool(ToolOutput::text("done"))));
    };
    let (reply, ()) = tokio::join!(engine.call_tool(cx(), "a", RawJson::empty_object()), serving);
    assert_eq!(reply.unwrap(), ToolOutput::text("done"));
}

#[tokio::test(start_paused = true)]
async fn other_requests_have_the_same_limit() {
    let inner = mock();
    let engine = layered(&layer(), inner.clone());
    let request = EngineRequest::ReadResource(ReadResource {
        uri: "a:b".into(),
        answers: None,
    });
    let (reply, running) = tokio::join!(engine.serve(cx(), request), inner.next());
    assert!(reply.unwrap_err().message().contains("30 s"));
    drop(running);
}

/// A client that thinks for a minute.
#[derive(Debug)]
struct Slow;

#[async_trait]
impl ClientChannel for Slow {
    fn supports(&self, _kind: AskKind) -> bool {
        true
    }
    fn notify(&self, _note: Note) {}
    async fn ask(&self, _ask: Ask) -> Result<RawJson> {
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok(RawJson::empty_object())
    }
}

#[tokio::test(start_paused = true)]
async fn neither_the_client_nor_the_queue_counts() {
    let inner = mock();
    let engine = layered(&layer(), inner.clone());
    let cx = cx().with_client(Slow);
    tokio::time::advance(Duration::from_secs(20)).await;
    let begin = Instant::now();
    let asking = async {
        let running = inner.next().await;
        let ask = Ask::new(AskKind::ElicitForm, RawJson::empty_object());
        running.cx.client().ask(ask).await.unwrap();
        assert!(!running.cx.cancelled().is_cancelled());
        running
    };
    let (reply, _running) = tokio::join!(engine.call_tool(cx, "a", RawJson::empty_object()), asking);
    assert_eq!(
        (reply.unwrap_err().kind(), begin.elapsed()),
        (ErrorKind::Timeout, Duration::from_secs(90))
    );
}

#[tokio::test]
async fn a_dropped_call_drops_the_inner_one() {
    let inner = mock();
    let engine: Arc<_> = layered(&layer(), inner.clone());
    let mut running = {
        let call = engine.call_tool(cx(), "a", RawJson::empty_object());
        tokio::pin!(call);
        tokio::select! {
            _ = &mut call => panic!("nobody has answered"),
            running = inner.next() => running,
        }
    };
    running.abandoned().await;
}
