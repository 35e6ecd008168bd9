//! What is recorded and counted of a request: once, whatever becomes of it.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use futures_util::FutureExt as _;
use tooldock::layers::{
    AuditLayer, CallLabels, CallRecord, LayerSettings, Meter, MetricsLayer, Outcome, defaults,
};
use tooldock_engine::{
    CallContext, EngineError, EngineExt as _, EngineReply, ErrorKind, RawJson, StaticEngine, ToolOutput,
};

use crate::engine::{cx, echo, layered, mock, raw, taking, tool};

#[derive(Default, Clone)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn add(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    fn audit(&self) -> AuditLayer {
        let lines = self.clone();
        AuditLayer::new(move |record: &CallRecord<'_>| {
            lines.add(format!(
                "{} {} {:?} {} {}/{} {}+{} {}",
                record.cx.caller().principal.name(),
                record.cx.namespace(),
                record.subject,
                record.outcome.label(),
                record.worked.as_secs(),
                record.took.as_secs(),
                record.request_bytes,
                record.reply_bytes,
                record.repaired,
            ));
        })
    }
}

#[tokio::test(start_paused = true)]
async fn each_request_is_recorded_once_with_how_it_ended() {
    let lines = Lines::default();
    let inner = mock();
    let engine = layered(&lines.audit(), inner.clone());
    type Row<'a> = (fn() -> Result<EngineReply, EngineError>, &'a str, usize);
    let answers: [Row<'_>; 3] = [
        (|| Ok(EngineReply::Tool(ToolOutput::text(""))), "ok", 27),
        (
            || Ok(EngineReply::Tool(ToolOutput::failure(""))),
            "tool_error",
            27,
        ),
        (
            || Err(EngineError::new(ErrorKind::Crashed, "x")),
            "worker_crashed",
            0,
        ),
    ];
    for (answer, label, bytes) in answers {
        let call = engine.call_tool(cx(), "a", raw(r#"{"n":1}"#));
        let play = async {
            let asked = inner.next().await;
            let pause = asked.cx.clock().pause();
            tokio::time::advance(Duration::from_secs(5)).await;
            drop(pause);
            tokio::time::advance(Duration::from_secs(2)).await;
            asked.answer(answer());
        };
        drop(tokio::join!(call, play));
        let expected = format!(r#"local demo Tool("a") {label} 2/7 7+{bytes} false"#);
        assert_eq!(lines.take(), [expected]);
    }
}

/// The time in the queue is told apart from the whole, and from what the engine says it used of a processor.
#[tokio::test(start_paused = true)]
async fn a_record_says_how_long_a_request_waited_and_worked() {
    let lines = Lines::default();
    let told = lines.clone();
    let mut settings = LayerSettings::default();
    settings.concurrency = 1;
    settings.audit = Some(AuditLayer::new(move |record: &CallRecord<'_>| {
        told.add(format!(
            "{} of {}, {} ms",
            record.queued.as_secs(),
            record.took.as_secs(),
            record.processor.as_millis()
        ));
    }));
    let handler = async |cx: CallContext, _arguments| {
        tokio::time::sleep(Duration::from_secs(3)).await;
        cx.facts().add_processor(Duration::from_millis(7));
        Ok(ToolOutput::text(""))
    };
    let slow = StaticEngine::builder().tool(tool("t"), handler).build().unwrap();
    let engine = layered(&defaults(&settings), slow);
    let call = || engine.call_tool(cx(), "t", raw("{}"));
    let (first, second) = tokio::join!(call(), call());
    first.and(second).unwrap();
    assert_eq!(lines.take(), ["0 of 3, 7 ms", "3 of 6, 7 ms"]);
}

#[tokio::test]
async fn a_request_that_nobody_waits_for_is_recorded_as_abandoned() {
    let lines = Lines::default();
    let engine = layered(&lines.audit(), mock());
    assert!(
        engine
            .call_tool(cx(), "a", RawJson::empty_object())
            .now_or_never()
            .is_none()
    );
    let told = lines.take();
    assert!(told.len() == 1 && told[0].contains("abandoned"), "{told:?}");
}

#[tokio::test]
async fn the_record_says_what_inner_layers_did() {
    let lines = Lines::default();
    let mut settings = LayerSettings::default();
    settings.audit = Some(lines.audit());
    let tool = taking(&serde_json::json!({"properties": {"n": {"type": "integer"}}, "required": ["n"]}));
    let engine = layered(&defaults(&settings), echo(tool));
    engine.call_tool(cx(), "t", raw(r#"{"n":"1"}"#)).await.unwrap();
    assert!(engine.call_tool(cx(), "t", raw("{}")).await.is_err());
    assert!(engine.call_tool(cx(), "x", raw("{}")).await.is_err());
    let told = lines.take();
    assert!(
        told[0].contains(" ok ") && told[0].ends_with("true"),
        "repaired: {told:?}"
    );
    assert!(
        told[1].contains("invalid_arguments") && told[2].contains("tool_not_found"),
        "{told:?}"
    );
}

#[derive(Default)]
struct Counting {
    running: AtomicI64,
    lines: Lines,
}

impl Meter for Counting {
    fn began(&self, _labels: &CallLabels) {
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    fn ended(&self, labels: &CallLabels, outcome: Outcome, _took: Duration, _queued: Duration) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        let tool = labels.tool.as_ref().map_or("-", |tool| tool.as_str());
        let text = format!(
            "{} {} {tool} {}",
            labels.door.label(),
            labels.what,
            outcome.label()
        );
        self.lines.add(text);
    }
}

#[tokio::test]
async fn no_label_is_made_up_by_a_caller() {
    let meter = Arc::new(Counting::default());
    let mut settings = LayerSettings::default();
    settings.metrics = Some(MetricsLayer::new(meter.clone()));
    let handler = async |_cx: CallContext, _arguments: RawJson| std::future::pending().await;
    let builder = StaticEngine::builder().tool(tool("waits"), handler);
    let builder = builder.tool(tool("panics"), async |_cx, _arguments| panic!("as asked"));
    let engine = layered(&defaults(&settings), builder.build().unwrap());
    let call = |name: &'static str| engine.call_tool(cx(), name, RawJson::empty_object());
    let mut waiting = call("waits");
    assert!((&mut waiting).now_or_never().is_none());
    assert_eq!(meter.running.load(Ordering::Relaxed), 1);
    drop((call("panics").await, call("made.up").await));
    drop(waiting);
    assert_eq!(meter.running.load(Ordering::Relaxed), 0);
    let told = [
        "local tool panics internal_error",
        "local tool - tool_not_found",
        "local tool waits abandoned",
    ];
    assert_eq!(meter.lines.take(), told);
}
