//! A real worker that works.

use std::{
    os::unix::fs::symlink,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::json;
use tooldock_engine::{
    ErrorKind, RawJson,
    testing::{Sample, engine_contract},
};

use tooldock_worker::NamespaceOptions;

use crate::process::soon;
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

/// S56: what is wrong with a file and what to do about it is told, and its siblings serve.
#[tokio::test]
async fn s56_a_file_that_cannot_be_taken_costs_itself_alone() {
    let mut fits = ECHO.replace("echo", "fits");
    fits.push_str(&"#".repeat((4 << 20) - fits.len()));
    let large = format!("{fits}#");
    let tools = Tools::with(&[
        ("demo/_large.py", &large),
        ("demo/echo.py", ECHO),
        ("demo/fits.py", &fits),
        ("demo/large.py", &large),
        ("demo/uses.py", "import _large\n"),
        ("outside.txt", &ECHO.replace("echo", "outside")),
    ]);
    symlink(tools.path("outside.txt"), tools.path("demo/link.py")).unwrap();
    std::fs::hard_link(tools.path("outside.txt"), tools.path("demo/twin.py")).unwrap();
    let pipe = Command::new("mkfifo").arg(tools.path("demo/pipe.py")).status();
    assert!(pipe.unwrap().success());
    let start = host();
    let options = NamespaceOptions::default();
    let folder = tools.only();
    let engine = soon(start.start(&folder, &options, Default::default(), &Quiet))
        .await
        .unwrap();
    let irregular = "is a link, a pipe or a file with a second name";
    let expected = [
        ("large.py", "`large.py` is larger than 4096 KiB", "split it"),
        ("link.py", irregular, "regular file"),
        ("pipe.py", irregular, "regular file"),
        ("twin.py", irregular, "regular file"),
        ("uses.py", "`_large.py` is larger than 4096 KiB", "split it"),
    ];
    let errors = engine.report().errors;
    assert_eq!(errors.len(), expected.len(), "{errors:?}");
    for (error, (file, why, what_to_do)) in errors.iter().zip(expected) {
        assert_eq!(error.file, file);
        assert!(error.message.contains(why), "{error}");
        let hint = error.hint.as_deref().unwrap_or_default();
        assert!(hint.contains(what_to_do), "{error}");
    }
    for tool in ["echo", "fits"] {
        let output = call(&engine, tool, json!({"text": "hi"})).await.unwrap();
        assert_eq!(text(&output), "hi");
    }
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
