//! Every layer keeps the contract of engines.

use std::time::Duration;

use serde_json::json;
use tooldock::layers::{
    ArgumentRepair, ConcurrencyLayer, LayerSettings, PanicLayer, TimeoutLayer, ValidateLayer, defaults,
};
use tooldock_engine::{
    CallContext, EngineExt as _, EngineLayer, ErrorKind, RawJson, StaticEngine, ToolOutput,
    testing::{Sample, engine_contract},
};

use crate::engine::{cx, echo, layered, raw, taking};

async fn keeps_the_contract(layer: impl EngineLayer) {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let make = async || layered(&layer, echo(taking(&schema)));
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
async fn concurrency_keeps_the_contract() {
    keeps_the_contract(ConcurrencyLayer::new(2)).await;
}

#[tokio::test]
async fn panic_keeps_the_contract() {
    keeps_the_contract(PanicLayer::new()).await;
}

#[tokio::test]
async fn all_together_keep_the_contract() {
    keeps_the_contract(defaults(&LayerSettings::default())).await;
}

#[tokio::test(start_paused = true)]
async fn each_default_layer_works_at_its_place() {
    let handler = async |_cx: CallContext, arguments: RawJson| {
        if arguments.as_str().contains("panic") {
            panic!("as asked");
        }
        std::future::pending::<()>().await;
        Ok(ToolOutput::text(""))
    };
    let schema = json!({"type": "object", "properties": {"do": {"type": "string"}}});
    let inner = StaticEngine::builder()
        .tool(taking(&schema), handler)
        .build()
        .unwrap();
    let settings = LayerSettings {
        concurrency: 1,
        waiting: 0,
        ..LayerSettings::default()
    };
    let engine = layered(&defaults(&settings), inner);
    let call = |arguments: &str| engine.call_tool(cx(), "t", raw(arguments));
    assert_eq!(
        call(r#"{"do":"panic"}"#).await.unwrap_err().kind(),
        ErrorKind::Internal
    );
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
