//! Every layer keeps the contract of engines.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use tooldock::layers::{
    ArgumentRepair, AuditLayer, AuthorizeLayer, BudgetLayer, CallRecord, ConcurrencyLayer, LayerSettings,
    NamespaceLimits, OutputCheckLayer, Overrides, PanicLayer, ReportLayer, SelectLayer, Selection,
    TimeoutLayer, ValidateLayer, defaults,
};
use tooldock_engine::{
    CallContext, EngineExt as _, EngineLayer, ErrorKind, RawJson, StaticEngine, ToolOutput,
    bridge::TowerLayer,
    testing::{Sample, engine_contract},
};

use crate::{
    engine::{cx, echo, layered, raw, taking},
    log::Log,
};

async fn keeps_the_contract(layer: impl EngineLayer) {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let mut tool = taking(&schema);
    tool.output_schema = Some(schema.into());
    let make = async || layered(&layer, echo(tool.clone()));
    engine_contract(
        make,
        Sample {
            tool: "t".parse().unwrap(),
            arguments: raw(r#"{"n":1}"#),
        },
    )
    .await;
}

#[tokio::test]
async fn validate_keeps_the_contract() {
    keeps_the_contract(ValidateLayer::new(ArgumentRepair::On)).await;
}

#[tokio::test]
async fn timeout_keeps_the_contract() {
    keeps_the_contract(TimeoutLayer::new(Duration::from_secs(30))).await;
}

#[tokio::test]
async fn budget_keeps_the_contract() {
    keeps_the_contract(BudgetLayer::new(10)).await;
}

#[tokio::test]
async fn concurrency_keeps_the_contract() {
    keeps_the_contract(ConcurrencyLayer::new(2)).await;
}

#[tokio::test]
async fn panic_keeps_the_contract() {
    keeps_the_contract(PanicLayer::new()).await;
}

#[tokio::test]
async fn report_keeps_the_contract() {
    keeps_the_contract(ReportLayer::new()).await;
}

#[tokio::test]
async fn output_check_keeps_the_contract() {
    keeps_the_contract(OutputCheckLayer::new()).await;
}

#[tokio::test]
async fn the_hooks_keep_the_contract() {
    keeps_the_contract(AuditLayer::new(|_record: &CallRecord<'_>| {})).await;
    keeps_the_contract(AuthorizeLayer::new(|_caller, _namespace, tool| {
        tool.as_str() == "t"
    }))
    .await;
    keeps_the_contract(TowerLayer::new(tower::timeout::TimeoutLayer::new(
        Duration::from_secs(30),
    )))
    .await;
}

fn selecting() -> Arc<Overrides> {
    let overrides = Overrides::default();
    let mut limits = NamespaceLimits::default();
    limits.selection = Selection::new(["t".parse().unwrap()], ["u".parse().unwrap()]);
    overrides.set([("demo".parse().unwrap(), limits)].into());
    Arc::new(overrides)
}

#[tokio::test]
async fn select_keeps_the_contract() {
    keeps_the_contract(SelectLayer::new(selecting())).await;
}

#[tokio::test]
async fn all_together_keep_the_contract() {
    let mut settings = LayerSettings::default();
    settings.overrides = selecting();
    keeps_the_contract(defaults(&settings)).await;
}

#[tokio::test(start_paused = true)]
async fn each_default_layer_works_at_its_place() {
    let handler = async |_cx: CallContext, arguments: RawJson| {
        match arguments.as_str() {
            r#"{"do":"panic"}"# => panic!("as asked"),
            r#"{"do":"break"}"# => return Ok(ToolOutput::text("promised was more")),
            _ => {}
        }
        std::future::pending::<()>().await;
        Ok(ToolOutput::text(""))
    };
    let schema = json!({"type": "object", "properties": {"do": {"type": "string"}}});
    let mut tool = taking(&schema);
    tool.output_schema = Some((&json!({"type": "object"})).into());
    let inner = StaticEngine::builder().tool(tool, handler).build().unwrap();
    let overrides = Overrides::default();
    let mut limits = NamespaceLimits::default();
    limits.concurrency = Some(1);
    overrides.set([("demo".parse().unwrap(), limits)].into());
    let mut settings = LayerSettings::default();
    settings.waiting = 0;
    settings.overrides = Arc::new(overrides);
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let engine = layered(&defaults(&settings), inner);
    let call = |arguments: &str| engine.call_tool(cx(), "t", raw(arguments));
    assert_eq!(
        call(r#"{"do":"panic"}"#).await.unwrap_err().kind(),
        ErrorKind::Internal
    );
    assert_eq!(
        call(r#"{"do":"break"}"#).await.unwrap_err().kind(),
        ErrorKind::InvalidOutput
    );
    let told = log.take();
    assert_eq!(told.trim().lines().count(), 2, "each once: {told}");
    for part in ["as asked", "code=\"invalid_output\""] {
        assert!(told.contains(part), "{told}");
    }
    let (first, second, third) = tokio::join!(call("{}"), call("{}"), call(r#"{"do":1}"#));
    assert_eq!(first.unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(second.unwrap_err().kind(), ErrorKind::Overloaded);
    assert_eq!(
        third.unwrap_err().kind(),
        ErrorKind::InvalidArguments,
        "judged before it takes a place"
    );
    assert_eq!(
        call(r#"{"do":"panic"}"#).await.unwrap_err().kind(),
        ErrorKind::Internal,
        "the place is free again"
    );
}
