//! The contract every engine keeps.

use std::{future::Future, time::Duration};

use futures_util::FutureExt as _;

use crate::{
    CallContext, Caller, EngineReply, EngineRequest, ErrorKind, NamespaceName, RawJson, ToolEngine, ToolName,
};

/// One call that the engine under test answers.
#[derive(Debug, Clone)]
pub struct Sample {
    /// A tool it lists.
    pub tool: ToolName,
    /// Arguments with which that tool succeeds.
    pub arguments: RawJson,
}

/// How many calls run at once, and how many are abandoned.
const AT_ONCE: usize = 16;

/// Checks the [contract](ToolEngine#contract) on fresh engines that `make` builds. A broken rule panics with its name.
///
/// ```
/// # use tooldock_engine::{*, testing::{Sample, engine_contract}};
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let make = async || {
///     StaticEngine::builder().tool(Tool::new("hi".parse().unwrap()), async |_, _| Ok(ToolOutput::text("hello"))).build().unwrap()
/// };
/// engine_contract(make, Sample { tool: "hi".parse().unwrap(), arguments: RawJson::empty_object() }).await;
/// # });
/// ```
///
/// # Panics
/// When the engine breaks a rule.
pub async fn engine_contract<E, F>(make: impl Fn() -> F, sample: Sample)
where
    E: ToolEngine,
    F: Future<Output = E>,
{
    let namespace: NamespaceName = "contract".parse().expect("a plain name");
    let cx = || CallContext::new(Caller::local(), namespace.clone());
    let call = |tool: &ToolName| EngineRequest::call_tool(tool.clone(), sample.arguments.clone());

    let engine = make().await;
    let first = engine.catalog(&cx()).expect("rule: a fresh engine has a catalog");
    let second = engine.catalog(&cx()).expect("rule: a catalog can be had again");
    assert_eq!(
        first.digest(),
        second.digest(),
        "rule: without a change, catalogs are equal"
    );
    assert!(
        first.tool(sample.tool.as_str()).is_some(),
        "rule: what can be called is listed"
    );

    let reply = engine
        .serve(cx(), call(&sample.tool))
        .await
        .expect("rule: what is listed can be called");
    assert!(
        matches!(reply, EngineReply::Tool(output) if !output.failed),
        "rule: a tool call is answered with a tool output"
    );

    let unknown: ToolName = "contract.no_such_tool".parse().expect("a plain name");
    let error = engine
        .serve(cx(), call(&unknown))
        .await
        .expect_err("rule: an unknown tool is refused");
    assert_eq!(
        error.kind(),
        ErrorKind::UnknownTool,
        "rule: an unknown tool is answered `tool_not_found`"
    );
    assert!(
        error.message().contains(unknown.as_str()),
        "rule: the refusal names the tool"
    );

    let many =
        futures_util::future::join_all((0..AT_ONCE).map(|_| engine.serve(cx(), call(&sample.tool)))).await;
    assert!(many.iter().all(Result::is_ok), "rule: calls may run at once");

    for _ in 0..AT_ONCE {
        // Begun, then dropped: what was never polled has not begun.
        drop(engine.serve(cx(), call(&sample.tool)).now_or_never());
    }
    engine
        .serve(cx(), call(&sample.tool))
        .await
        .expect("rule: an abandoned call harms no other");

    engine.shutdown(Duration::from_secs(5)).await;
    engine.shutdown(Duration::from_secs(5)).await;
    let error = engine
        .serve(cx(), call(&sample.tool))
        .await
        .expect_err("rule: after shutdown nothing is served");
    assert_eq!(
        error.kind(),
        ErrorKind::Unavailable,
        "rule: after shutdown calls are answered `worker_unavailable`"
    );
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use async_trait::async_trait;

    use super::*;
    use crate::{Catalog, Changes, Result, StaticEngine, Tool, ToolOutput, request::ResourceUri};

    /// Has room for as many calls as run at once, and never gets back the room of an abandoned one.
    #[derive(Debug)]
    struct Leaking(StaticEngine, AtomicUsize);

    #[async_trait]
    impl ToolEngine for Leaking {
        fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
            self.0.catalog(cx)
        }
        fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
            self.0.changes(cx, watch)
        }
        async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
            if self.1.fetch_add(1, Ordering::Relaxed) == AT_ONCE {
                return Err(crate::EngineError::new(ErrorKind::Overloaded, "no room"));
            }
            tokio::task::yield_now().await;
            self.1.fetch_sub(1, Ordering::Relaxed);
            self.0.serve(cx, request).await
        }
        async fn shutdown(&self, grace: Duration) {
            self.0.shutdown(grace).await;
        }
    }

    #[tokio::test]
    #[should_panic(expected = "rule: an abandoned call harms no other")]
    async fn an_engine_that_keeps_the_room_of_abandoned_calls_breaks_the_contract() {
        let tool: ToolName = "hi".parse().unwrap();
        let make = async || {
            let hi = async |_cx, _arguments| Ok(ToolOutput::text("hello"));
            let engine = StaticEngine::builder().tool(Tool::new("hi".parse().unwrap()), hi);
            Leaking(engine.build().unwrap(), AtomicUsize::new(0))
        };
        let arguments = RawJson::empty_object();
        engine_contract(make, Sample { tool, arguments }).await;
    }
}
