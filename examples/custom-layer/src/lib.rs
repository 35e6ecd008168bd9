//! A layer of one's own, outside those that every gateway has.

mod quota;

use std::error::Error;

use tooldock::{Gateway, StaticEngine, Tool, ToolOutput, http::Bearer};

pub use self::quota::{Quota, QuotaLayer};

/// The application: one tool, which each caller may use three times.
///
/// # Errors
/// When something is named wrongly.
pub fn app() -> Result<axum::Router, Box<dyn Error>> {
    let engine = StaticEngine::builder()
        .tool(Tool::new("oracle".parse()?), async |_cx, _arguments| {
            Ok(ToolOutput::text("perhaps"))
        })
        .build()?;
    let gateway = Gateway::builder()
        .namespace("temple", engine)
        .engine_layer(QuotaLayer::new(3))
        .bearer(Bearer::anonymous())
        .build()?;
    Ok(gateway.router())
}
