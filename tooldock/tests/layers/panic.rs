//! Panics of an engine.

use std::{
    fmt::{self, Write as _},
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use tooldock::layers::PanicLayer;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineReply, EngineRequest, ErrorKind, ToolEngine, error::Result,
    request::ResourceUri,
};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use crate::engine::{cx, layered, raw};

/// An engine that panics whenever it is asked, with the tool's name, and always for a catalog.
#[derive(Debug)]
struct Broken;

#[async_trait]
impl ToolEngine for Broken {
    async fn catalog(&self, _cx: &CallContext) -> Result<Arc<Catalog>> {
        panic!("secret detail");
    }
    fn changes(&self, _cx: &CallContext, _watch: &[ResourceUri]) -> Changes {
        Changes::never()
    }
    async fn serve(&self, _cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        tokio::task::yield_now().await;
        panic!("secret detail of {:?}", request.tool());
    }
    async fn shutdown(&self, _grace: Duration) {}
}

/// Keeps what is logged.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0.lock().unwrap(), "{field}={value:?} ").unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, _metadata: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _span: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _span: &Id, _values: &Record<'_>) {}
    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }
    fn enter(&self, _span: &Id) {}
    fn exit(&self, _span: &Id) {}
}

#[tokio::test]
async fn a_panic_is_an_error_of_one_call() {
    let engine = layered(&PanicLayer::new(), Broken);
    for _ in 0..2 {
        let call = EngineRequest::call_tool("t".parse().unwrap(), raw("{}"));
        let errors = [
            engine.catalog(&cx()).await.map(drop),
            engine.serve(cx(), call).await.map(drop),
        ];
        for error in errors.map(Result::unwrap_err) {
            assert_eq!(error.kind(), ErrorKind::Internal);
            assert!(
                !error.message().contains("secret") && error.message().contains("log"),
                "{error}"
            );
        }
    }
}

#[tokio::test]
async fn the_log_tells_the_cause_under_the_request_id() {
    let log = Log::default();
    let guard = tracing::subscriber::set_default(log.clone());
    let engine = layered(&PanicLayer::new(), Broken);
    let call = EngineRequest::call_tool("t".parse().unwrap(), raw("{}"));
    engine.serve(cx().with_request_id("r-7"), call).await.unwrap_err();
    drop(guard);
    let log = log.0.lock().unwrap();
    for part in [
        "request_id=\"r-7\"",
        "namespace=\"demo\"",
        "tool=\"t\"",
        "secret detail of",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
}
