//! Reading a message, and answering `tools/list`.
#![allow(missing_docs, reason = "`criterion_group` makes a public function")]

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use serde_json::json;
use tooldock_engine::{Caller, Mount, RawJson, StaticEngine, Tool, ToolOutput, json::ScanLimits};
use tooldock_mcp::{ConnectionInfo, Server, wire::Message};
use tower_service::Service as _;

/// What a client of 2026-07-28 says about each of its requests.
fn meta() -> serde_json::Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn envelope(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("envelope");
    for bytes in [20, 4_000, 200_000] {
        let params = json!({"name": "echo", "arguments": {"text": "x".repeat(bytes)}, "_meta": meta()});
        let text = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        let json = RawJson::scan(text, ScanLimits::MESSAGE).expect("it is JSON");
        group.bench_with_input(BenchmarkId::from_parameter(json.len()), &json, |bench, json| {
            bench.iter(|| Message::read(json));
        });
    }
}

fn list_page(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime can be made");
    let _inside = runtime.enter();
    let mut group = criterion.benchmark_group("list page");
    for tools in [50, 500] {
        let mut connection = server(tools).connect(ConnectionInfo::new(
            Caller::local(),
            "demo".parse().expect("a name"),
        ));
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta()}})
            .to_string();
        group.bench_with_input(BenchmarkId::from_parameter(tools), &request, |bench, request| {
            bench.iter(|| {
                let message = connection.read(request.clone()).expect("a message");
                runtime.block_on(connection.call(message))
            });
        });
    }
}

/// A server over one namespace with so many tools.
fn server(tools: usize) -> Server {
    let mut engine = StaticEngine::builder();
    for index in 0..tools {
        let mut tool = Tool::new(format!("tool_{index}").parse().expect("a name"));
        tool.description = Some("Finds the records that match a text, newest first.".into());
        tool.input_schema = RawJson::from(json!({
            "type": "object",
            "properties": {"text": {"type": "string"}, "limit": {"type": "integer", "default": 20}},
            "required": ["text"],
        }));
        engine = engine.tool(tool, async |_cx, arguments: RawJson| {
            Ok(ToolOutput::structured(&arguments))
        });
    }
    let namespace = "demo".parse().expect("a name");
    let engine = Arc::new(engine.build().expect("each name occurs once"));
    Server::builder(Arc::new(Mount { namespace, engine })).build()
}

criterion_group!(benches, envelope, list_page);
criterion_main!(benches);
