//! `custom-layer`: the state of a layer outlives the engines it stands around.

use std::sync::Arc;

use example_custom_layer::{QuotaLayer, app};
use tooldock::{
    CallContext, Caller, EngineExt as _, EngineLayer as _, ErrorKind, RawJson, StaticEngine, Tool,
    ToolOutput,
    engine::testing::{Sample, engine_contract},
};

use crate::call::call;

#[tokio::test]
async fn a_quota_ends() {
    let app = app().unwrap();
    for _ in 0..3 {
        assert_eq!(call(&app, "/temple/tools/oracle", "{}").await.status, 200);
    }
    let refused = call(&app, "/temple/tools/oracle", "{}").await;
    assert!(
        refused.status == 503 && refused.body.contains("all 3 calls"),
        "{}",
        refused.body
    );
}

fn engine() -> StaticEngine {
    let ran = async |_cx, _arguments| Ok(ToolOutput::text("ran"));
    let tool = Tool::new("t".parse().unwrap());
    StaticEngine::builder().tool(tool, ran).build().unwrap()
}

#[tokio::test]
async fn a_new_engine_brings_no_new_calls() {
    let layer = QuotaLayer::new(1);
    let namespace = "demo".parse().unwrap();
    let call = async || {
        let engine = layer.layer(&namespace, Arc::new(engine()));
        let cx = CallContext::new(Caller::local(), namespace.clone());
        engine.call_tool(cx, "t", RawJson::empty_object()).await
    };
    assert!(call().await.is_ok());
    assert_eq!(call().await.unwrap_err().kind(), ErrorKind::Overloaded);
}

#[tokio::test]
async fn the_layer_keeps_the_contract() {
    let layer = QuotaLayer::new(1000);
    let make = async || layer.layer(&"contract".parse().unwrap(), Arc::new(engine()));
    let (tool, arguments) = ("t".parse().unwrap(), RawJson::empty_object());
    engine_contract(make, Sample { tool, arguments }).await;
}
