//! A transport of one's own for MCP: a Unix socket, with a message per line.

mod socket;

use std::error::Error;

use tooldock::{CallContext, Gateway, StaticEngine, Tool, ToolOutput, http::Bearer};

pub use self::socket::listen;

/// The gateway that is served: a namespace `demo` whose one tool tells who calls.
///
/// # Errors
/// When something is named wrongly.
pub fn app() -> Result<Gateway, Box<dyn Error>> {
    let whoami = async |cx: CallContext, _arguments| Ok(ToolOutput::text(cx.caller().principal.name()));
    let engine = StaticEngine::builder()
        .tool(Tool::new("whoami".parse()?), whoami)
        .build()?;
    let gateway = Gateway::builder()
        .namespace("demo", engine)
        .bearer(Bearer::anonymous()) // nothing is served over HTTP
        .build()?;
    Ok(gateway)
}
