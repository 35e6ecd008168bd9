//! `custom-engine`: what was learned is listed, called and told.

use example_custom_engine::{Notebook, app};
use tooldock::{
    CallContext, Caller, RawJson, ToolEngine as _,
    engine::{
        Change,
        testing::{Sample, engine_contract},
    },
};

use crate::call::{call, text};

const NOTE: &str = r#"{"name": "wifi", "text": "ask Ann"}"#;

#[tokio::test]
async fn a_note_becomes_a_tool() {
    let app = app().unwrap();
    assert_eq!(call(&app, "/notes/tools/wifi", "{}").await.status, 404);
    assert_eq!(call(&app, "/notes/tools/learn", NOTE).await.body, text("noted"));
    assert_eq!(call(&app, "/notes/tools/wifi", "{}").await.body, text("ask Ann"));
    let taken = call(&app, "/notes/tools/learn", r#"{"name": "learn", "text": ""}"#).await;
    assert_eq!(taken.status, 422, "{}", taken.body);
}

#[tokio::test]
async fn the_engine_keeps_the_contract_and_tells_of_changes() {
    let arguments = RawJson::from(serde_json::json!({"name": "wifi", "text": "ask Ann"}));
    let tool = "learn".parse().unwrap();
    let sample = Sample {
        tool,
        arguments: arguments.clone(),
    };
    engine_contract(async || Notebook::new(), sample.clone()).await;

    let notebook = Notebook::new();
    let cx = CallContext::new(Caller::local(), "notes".parse().unwrap());
    let before = notebook.catalog(&cx).unwrap();
    let mut changes = notebook.changes(&cx, &[]);
    let request = tooldock::EngineRequest::call_tool(sample.tool, arguments);
    notebook.serve(cx.clone(), request).await.unwrap();
    assert_eq!(changes.next().await, Some(Change::Tools));
    assert_ne!(notebook.catalog(&cx).unwrap().digest(), before.digest());
}
