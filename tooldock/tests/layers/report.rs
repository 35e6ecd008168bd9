//! What the log tells of errors.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock::layers::ReportLayer;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineReply, EngineRequest, ErrorKind, ToolEngine,
    error::Result, request::ResourceUri,
};

use crate::{
    engine::{cx, layered, raw},
    log::Log,
};

/// An engine that answers everything with an error of one kind and this cause.
#[derive(Debug)]
struct Failing(ErrorKind, String);

/// What lies behind the error, and something behind that.
#[derive(Debug)]
struct Outer(std::io::Error);

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("outer cause")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

impl Failing {
    fn error(&self) -> EngineError {
        let outer = Outer(std::io::Error::other(self.1.clone()));
        EngineError::new(self.0, "the text for the caller").with_source(outer)
    }
}

#[async_trait]
impl ToolEngine for Failing {
    fn catalog(&self, _cx: &CallContext) -> Result<Arc<Catalog>> {
        Err(self.error())
    }
    fn changes(&self, _cx: &CallContext, _watch: &[ResourceUri]) -> Changes {
        Changes::never()
    }
    async fn serve(&self, _cx: CallContext, _request: EngineRequest) -> Result<EngineReply> {
        Err(self.error())
    }
    async fn shutdown(&self, _grace: Duration) {}
}

/// What is logged when a call ends with an error of `kind` behind which `cause` lies.
async fn logged(kind: ErrorKind, cause: &str) -> String {
    let log = Log::default();
    let engine = layered(&ReportLayer::new(), Failing(kind, cause.to_owned()));
    let call = EngineRequest::call_tool("t".parse().unwrap(), raw(r#"{"password":"hunter2"}"#));
    let guard = tracing::subscriber::set_default(log.clone());
    let error = engine.serve(cx().with_request_id("r-7"), call).await.unwrap_err();
    drop(guard);
    assert_eq!(
        (error.kind(), error.message()),
        (kind, "the text for the caller"),
        "it is passed on"
    );
    log.take()
}

#[tokio::test]
async fn s107_the_cause_stands_in_the_log_under_the_request_id_and_nowhere_else() {
    for (kind, level, tells_text) in [
        (ErrorKind::Internal, "ERROR", true),
        (ErrorKind::Unavailable, "ERROR", true),
        (ErrorKind::ToolFailed, "WARN", false),
        (ErrorKind::InvalidOutput, "WARN", false),
        (ErrorKind::InvalidArguments, "DEBUG", false),
    ] {
        let log = logged(kind, "inner cause").await;
        assert_eq!(log.trim().lines().count(), 1, "{log}");
        assert!(log.trim().starts_with(level), "{log}");
        for part in [
            "request_id=\"r-7\"",
            "namespace=\"demo\"",
            "tool=\"t\"",
            &format!("code={:?}", kind.code()),
            "cause=\"outer cause: inner cause\"",
        ] {
            assert!(log.contains(part), "{part}: {log}");
        }
        assert_eq!(log.contains("the text for the caller"), tells_text, "{log}");
        assert!(!log.contains("hunter2"), "{log}");
    }
}

#[tokio::test]
async fn of_a_long_cause_the_end_is_told() {
    let log = logged(
        ErrorKind::ToolFailed,
        &format!("{}KeyError: 'x'", "ä".repeat(100_000)),
    )
    .await;
    assert!(
        log.contains("cause=\"…ä") && log.contains("äKeyError: 'x'"),
        "{log}"
    );
    assert!(log.len() < 9_000, "{}", log.len());
}

#[tokio::test]
async fn errors_of_catalogs_are_told_too() {
    let log = Log::default();
    let engine = layered(
        &ReportLayer::new(),
        Failing(ErrorKind::Unavailable, "inner cause".to_owned()),
    );
    let guard = tracing::subscriber::set_default(log.clone());
    engine.catalog(&cx().with_request_id("r-8")).unwrap_err();
    drop(guard);
    let log = log.take();
    assert!(
        log.contains("request_id=\"r-8\"") && log.contains("inner cause"),
        "{log}"
    );
}

#[tokio::test(start_paused = true)]
async fn f32_what_fails_again_and_again_is_told_with_a_count() {
    let log = Log::default();
    let engine = layered(
        &ReportLayer::new(),
        Failing(ErrorKind::ToolFailed, "inner cause".to_owned()),
    );
    let guard = tracing::subscriber::set_default(log.clone());
    let fail = async |tool: &str| {
        let call = EngineRequest::call_tool(tool.parse().unwrap(), raw("{}"));
        engine.serve(cx(), call).await.unwrap_err();
    };
    for _ in 0..1000 {
        fail("t").await;
    }
    let many = log.take();
    assert_eq!(many.trim().lines().count(), 20, "{many}");
    fail("other").await;
    assert_eq!(
        log.take().trim().lines().count(),
        1,
        "another tool has lines of its own"
    );
    tokio::time::advance(Duration::from_secs(60)).await;
    fail("t").await;
    drop(guard);
    let next = log.take();
    assert!(next.contains("left_out=980"), "{next}");
}
