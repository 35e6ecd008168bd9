//! ToolDock in an axum application, as its README shows, with every layer of the defaults: one closure, and two lists.
//! Beside it the closure alone, and the closure with all that can stand around it.

use std::error::Error;

use axum::Router;
use serde_json::json;
use tooldock::{
    Gateway, RawJson, StaticEngine, Tool, ToolOutput,
    audit::{AuditSettings, AuditWriter},
    engine::LayerStack,
    http::{Bearer, Token, Tokens},
    layers::{AuditLayer, CallSpan, LayerSettings, MetricsLayer, TraceLayer, defaults},
    telemetry::CallMetrics,
};
use tooldock_bench::{TOKEN, serve};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let audit = AuditWriter::start(AuditSettings::new(folder.path()))?;
    let alone = Gateway::builder()
        .namespace("echo", echo()?)
        .layers(LayerStack::new())
        .bearer(Bearer::anonymous())
        .build()?;
    let usual = Gateway::builder()
        .namespace("echo", echo()?)
        .namespace("list50", list(50)?)
        .namespace("list500", list(500)?)
        .bearer(tokens()?)
        .build()?;
    let whole = Gateway::builder()
        .namespace("echo", echo()?)
        .layers(everything(&audit))
        .bearer(tokens()?)
        .build()?;
    let app = Router::new()
        .nest("/alone", alone.router())
        .nest("/tooldock", usual.router())
        .nest("/whole", whole.router());
    serve(app).await?;
    Ok(())
}

fn tokens() -> Result<Bearer, Box<dyn Error>> {
    Ok(Bearer::new(Tokens::new([Token::new("bench", TOKEN)?])))
}

/// The layers of the defaults, and metrics, the audit log and spans that nobody collects.
fn everything(audit: &AuditWriter) -> LayerStack {
    let mut settings = LayerSettings::default();
    settings.metrics = Some(MetricsLayer::new(CallMetrics::new()));
    settings.audit = Some(AuditLayer::new(audit.log()));
    settings.trace = Some(TraceLayer::new(|span: CallSpan| drop(span)));
    defaults(&settings)
}

/// A tool that answers with its arguments.
fn echo() -> Result<StaticEngine, Box<dyn Error>> {
    let mut tool = Tool::new("echo".parse()?);
    tool.description = Some("Says the message again.".into());
    tool.input_schema = RawJson::from(json!({
        "type": "object",
        "properties": {"message": {"type": "string"}},
        "required": ["message"],
    }));
    let engine = StaticEngine::builder().tool(tool, async |_cx, arguments: RawJson| {
        Ok(ToolOutput::structured(&arguments))
    });
    Ok(engine.build()?)
}

/// So many tools of about 400 bytes each.
fn list(count: usize) -> Result<StaticEngine, Box<dyn Error>> {
    let mut engine = StaticEngine::builder();
    for index in 0..count {
        let mut tool = Tool::new(format!("find_records_{index}").parse()?);
        tool.description = Some(format!(
            "Finds the records of kind {index} that match a text, newest first."
        ));
        tool.input_schema = RawJson::from(json!({
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "What the records are searched for."},
                "limit": {"type": "integer", "description": "How many are given at most.", "default": 20},
                "exact": {"type": "boolean", "description": "Whether the case of letters counts.", "default": false},
            },
            "required": ["text"],
        }));
        engine = engine.tool(tool, async |_cx, arguments: RawJson| {
            Ok(ToolOutput::structured(&arguments))
        });
    }
    Ok(engine.build()?)
}
