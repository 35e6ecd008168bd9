//! A gateway in an axum application: one Rust closure, one folder of Python.

use std::{error::Error, path::Path};

use tooldock::{
    Gateway, RawJson, StaticEngine, Tool, ToolOutput,
    http::Bearer,
    registry::folders::Folders,
    worker::{HostSettings, ToolsFolder, WorkerHost},
};

/// The application: `/tooldock/demo/…` is the closure, `/tooldock/greetings/…` the folder. What Python needs is kept in `data`.
///
/// # Errors
/// When something is named wrongly; a Python file that does not load is told in `GET /tooldock/namespaces` instead.
///
/// # Cancel safety
/// Dropping the future ends what was started.
#[expect(
    clippy::disallowed_methods,
    reason = "a program decides what of its environment it hands on"
)]
pub async fn app(data: &Path) -> Result<axum::Router, Box<dyn Error>> {
    let echo = async |_cx, arguments: RawJson| Ok(ToolOutput::structured(&arguments));
    let engine = StaticEngine::builder()
        .tool(Tool::new("echo".parse()?), echo)
        .build()?;
    let mut host = HostSettings::new(data);
    host.environment = std::env::vars().collect(); // workers inherit a few names of it: PATH, HOME, proxies
    let tools = ToolsFolder::subfolders(concat!(env!("CARGO_MANIFEST_DIR"), "/tools"));
    let gateway = Gateway::builder()
        .namespace("demo", engine)
        .source(Folders::new(tools, WorkerHost::new(host)))
        .bearer(Bearer::anonymous()) // it listens on this machine only
        .build()?;
    gateway.load().await?;
    Ok(axum::Router::new().nest("/tooldock", gateway.router()))
}
