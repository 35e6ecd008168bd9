//! Panics of an engine.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock::layers::PanicLayer;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineReply, EngineRequest, ErrorKind, ToolEngine, error::Result,
    request::ResourceUri,
};

use crate::{
    engine::{cx, layered, raw},
    log::Log,
};

/// An engine that panics whenever it is asked, with the tool's name, and always for a catalog.
#[derive(Debug)]
struct Broken;

#[async_trait]
impl ToolEngine for Broken {
    fn catalog(&self, _cx: &CallContext) -> Result<Arc<Catalog>> {
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

#[tokio::test]
async fn a_panic_is_an_error_of_one_call() {
    let engine = layered(&PanicLayer::new(), Broken);
    for _ in 0..2 {
        let call = EngineRequest::call_tool("t".parse().unwrap(), raw("{}"));
        let errors = [
            engine.catalog(&cx()).map(drop),
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
    let log = log.take();
    for part in [
        "request_id=\"r-7\"",
        "namespace=\"demo\"",
        "tool=\"t\"",
        "secret detail of",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
}
