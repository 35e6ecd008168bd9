//! Requests as spans: which trace they belong to, and what they went through.

use std::sync::{Arc, Mutex};

use futures_util::FutureExt as _;
use tooldock::layers::{CallSpan, LayerSettings, Outcome, TraceLayer, defaults};
use tooldock_engine::{
    CallContext, EngineExt as _, RawJson, StaticEngine, ToolEngine, ToolOutput, context::TraceContext,
};

use crate::engine::{cx, layered, tool};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// An engine that answers with the trace it was given or, asked to wait, never; and the spans of its calls.
fn traced() -> (Arc<dyn ToolEngine>, Arc<Mutex<Vec<CallSpan>>>) {
    let spans: Arc<Mutex<Vec<CallSpan>>> = Arc::default();
    let told = spans.clone();
    let mut settings = LayerSettings::default();
    settings.trace = Some(TraceLayer::new(move |span: CallSpan| {
        told.lock().unwrap().push(span);
    }));
    let given = async |cx: CallContext, _arguments| {
        Ok(ToolOutput::text(cx.trace().parent.as_deref().unwrap_or_default()))
    };
    let waits = async |_cx: CallContext, _arguments: RawJson| std::future::pending().await;
    let builder = StaticEngine::builder()
        .tool(tool("given"), given)
        .tool(tool("waits"), waits);
    (layered(&defaults(&settings), builder.build().unwrap()), spans)
}

fn under(parent: &str) -> CallContext {
    cx().with_trace(TraceContext {
        parent: Some(parent.into()),
        state: Some("a=1".into()),
    })
}

async fn given(engine: &dyn ToolEngine, cx: CallContext) -> ToolOutput {
    engine
        .call_tool(cx, "given", RawJson::empty_object())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_request_goes_on_with_its_trace_or_begins_one() {
    let (engine, spans) = traced();
    let inner = given(&*engine, under(PARENT)).await;
    let fresh = given(&*engine, cx()).await;
    let broken = given(&*engine, under("00-made-up-01")).await;
    let spans = spans.lock().unwrap();
    let [first, second, third] = &**spans else {
        panic!("{spans:?}")
    };
    for (span, answer) in [(first, inner), (second, fresh), (third, broken)] {
        assert_eq!(
            answer,
            ToolOutput::text(span.trace.parent.as_deref().unwrap()),
            "the engine is below the span"
        );
    }
    let (own, parent) = (first.trace.ids().unwrap(), first.parent.ids().unwrap());
    assert_eq!(
        (own.trace, &first.trace.state),
        (parent.trace, &first.parent.state)
    );
    assert_ne!(own.span, parent.span);
    assert_ne!(
        second.trace.ids().unwrap().trace,
        third.trace.ids().unwrap().trace
    );
    assert_eq!(
        third.trace.state, None,
        "what stands beside no parent means nothing"
    );
    let names: Vec<_> = first.steps.iter().map(|step| step.name).collect();
    assert_eq!(names, ["queue", "engine"]);
}

#[tokio::test]
async fn a_trace_that_nobody_records_is_only_handed_on() {
    let (engine, spans) = traced();
    let silent = PARENT.replace("-01", "-00");
    assert_eq!(given(&*engine, under(&silent)).await, ToolOutput::text(&silent));
    assert!(spans.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_request_that_nobody_waits_for_ends_its_span_and_its_steps() {
    let (engine, spans) = traced();
    let call = engine.call_tool(cx(), "waits", RawJson::empty_object());
    assert!(call.now_or_never().is_none());
    let spans = spans.lock().unwrap();
    assert_eq!((spans[0].outcome, spans[0].steps.len()), (Outcome::Abandoned, 2));
}
