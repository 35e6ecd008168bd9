//! A real worker that works.

use std::time::{Duration, Instant};

use serde_json::json;
use tooldock_engine::{
    ErrorKind, RawJson,
    testing::{Sample, engine_contract},
};

use tooldock_worker::NamespaceOptions;

use crate::shop::{Quiet, Tools, call, host, serve, text};

const ECHO: &str = "from tooldock import tool\n@tool\nasync def echo(text: str) -> str:\n    return text\n";

#[tokio::test]
async fn a_file_answers_a_call() {
    let (_tools, engine) = serve(ECHO).await;
    let output = call(&engine, "echo", json!({"text": "hi"})).await.unwrap();
    assert_eq!(text(&output), "hi");
    assert_eq!(output.structured.unwrap().as_str(), r#"{"result":"hi"}"#);
    let error = call(&engine, "ecko", json!({})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTool);
    assert!(error.message().contains("did you mean `echo`"), "{error}");
}

#[tokio::test]
async fn the_engine_contract_holds() {
    let tools = Tools::with(&[("demo/echo.py", ECHO)]);
    let (host, folder) = (host(), tools.only());
    let make = async || {
        host.start(&folder, &NamespaceOptions::default(), Default::default(), &Quiet)
            .await
            .unwrap()
    };
    let arguments = RawJson::from(json!({"text": "x"}));
    engine_contract(
        make,
        Sample {
            tool: "echo".parse().unwrap(),
            arguments,
        },
    )
    .await;
}

#[tokio::test]
async fn a_worker_without_requirements_is_ready_at_once() {
    let tools = Tools::with(&[("demo/echo.py", ECHO)]);
    let (host, folder) = (host(), tools.only());
    host.prepare(&Quiet).await.unwrap();
    // The machine may be busy with something else, so one start in time is enough.
    let mut took = Vec::new();
    while took.last().is_none_or(|last| *last >= Duration::from_millis(500)) {
        assert!(took.len() < 20, "no start within 0.5 s: {took:?}");
        let started = Instant::now();
        host.start(&folder, &NamespaceOptions::default(), Default::default(), &Quiet)
            .await
            .unwrap();
        took.push(started.elapsed());
    }
}
