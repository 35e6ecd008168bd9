//! The contract every engine keeps.

use std::{future::Future, time::Duration};

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
    let first = engine
        .catalog(&cx())
        .await
        .expect("rule: a fresh engine has a catalog");
    let second = engine
        .catalog(&cx())
        .await
        .expect("rule: a catalog can be had again");
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

    let many = futures_util::future::join_all((0..16).map(|_| engine.serve(cx(), call(&sample.tool)))).await;
    assert!(many.iter().all(Result::is_ok), "rule: calls may run at once");

    drop(engine.serve(cx(), call(&sample.tool)));
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
