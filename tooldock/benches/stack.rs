//! What everything around a closure costs: who may call, limits, metrics, the audit log and traces, beside the same gateway without any.
//!
//! Counts processor time of the whole process, so that the thread which writes the log is in it; no network, so that the ratios are those
//! of the worst case. The variants take turns.
#![allow(
    clippy::print_stdout,
    reason = "the table on standard output is what the program is for"
)]

use std::{error::Error, fs, time::Duration};

use axum::{Router, body::Body};
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::json;
use tooldock::{
    Gateway, RawJson, StaticEngine, Tool, ToolOutput,
    audit::{AuditSettings, AuditWriter},
    engine::LayerStack,
    http::{Bearer, Token, Tokens},
    layers::{AuditLayer, CallSpan, LayerSettings, MetricsLayer, TraceLayer, defaults},
    telemetry::CallMetrics,
};
use tower::ServiceExt as _;

const TOKEN: &str = "a-token-for-this-benchmark";
const CALLS: u32 = 20_000;
const ROUNDS: usize = 7;

fn engine() -> Result<StaticEngine, Box<dyn Error>> {
    let mut tool = Tool::new("echo".parse()?);
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

fn app(layers: LayerStack, bearer: Bearer) -> Result<Router, Box<dyn Error>> {
    let gateway = Gateway::builder().namespace("echo", engine()?);
    Ok(gateway.layers(layers).bearer(bearer).build()?.router())
}

fn request() -> Result<Request<Body>, http::Error> {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    Request::post("/echo/mcp")
        .header("host", "localhost")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "echo")
        .body(Body::from(body))
}

/// Processor time of this process so far, as `/proc` tells it in steps of 10 ms.
fn used() -> Result<Duration, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(") ").ok_or("no `stat` line")?;
    let ticks: u64 = fields
        .split(' ')
        .skip(11)
        .take(2)
        .map(|ticks| ticks.parse().unwrap_or(0))
        .sum();
    Ok(Duration::from_millis(ticks * 10))
}

async fn measure(app: &Router) -> Result<f64, Box<dyn Error>> {
    let begin = used()?;
    for _ in 0..CALLS {
        let answer = app.clone().oneshot(request()?).await?;
        assert_eq!(answer.status(), StatusCode::OK);
        answer.into_body().collect().await?;
    }
    let spent = used()? - begin;
    Ok(spent.as_secs_f64() * 1e6 / f64::from(CALLS))
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let folder = tempfile::tempdir()?;
        let writer = AuditWriter::start(AuditSettings::new(folder.path()))?;
        let tokens = || -> Result<Bearer, Box<dyn Error>> {
            Ok(Bearer::new(Tokens::new([Token::new("bench", TOKEN)?])))
        };
        let with = |change: &dyn Fn(&mut LayerSettings)| {
            let mut settings = LayerSettings::default();
            change(&mut settings);
            app(defaults(&settings), tokens()?)
        };
        let metrics =
            |settings: &mut LayerSettings| settings.metrics = Some(MetricsLayer::new(CallMetrics::new()));
        let audit = |settings: &mut LayerSettings| settings.audit = Some(AuditLayer::new(writer.log()));
        let variants = [
            ("bare", app(LayerStack::new(), Bearer::anonymous())?),
            ("tokens and limits", with(&|_| {})?),
            ("and metrics", with(&|settings| metrics(settings))?),
            (
                "and the audit log",
                with(&|settings| {
                    metrics(settings);
                    audit(settings);
                })?,
            ),
            (
                "and traces",
                with(&|settings| {
                    metrics(settings);
                    audit(settings);
                    settings.trace = Some(TraceLayer::new(|span: CallSpan| drop(span)));
                })?,
            ),
        ];
        let mut times = vec![Vec::new(); variants.len()];
        for round in 0..=ROUNDS {
            for ((_, app), times) in variants.iter().zip(&mut times) {
                let time = measure(app).await?;
                // The first round warms up.
                if round > 0 {
                    times.push(time);
                }
            }
        }
        let middle = |times: &mut Vec<f64>| {
            times.sort_unstable_by(f64::total_cmp);
            times[times.len() / 2]
        };
        let bare = middle(&mut times[0]);
        for ((name, _), times) in variants.iter().zip(&mut times) {
            let time = middle(times);
            println!(
                "{name:<20} {time:>7.2} µs of processor a call  {:>+7.2} µs",
                time - bare
            );
        }
        Ok(())
    })
}
