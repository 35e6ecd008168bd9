//! Judging arguments by a schema: those that fit, those that are repaired, those that are refused.
#![allow(missing_docs, reason = "`criterion_group` makes a public function")]

use std::{hint::black_box, sync::Arc};

use criterion::{Criterion, criterion_group, criterion_main};
use futures_util::FutureExt as _;
use serde_json::{Value, json};
use tooldock::{
    CallContext, Caller, EngineLayer as _, EngineRequest, NamespaceName, RawJson, StaticEngine, Tool,
    ToolEngine, ToolOutput,
    layers::{ArgumentRepair, ValidateLayer},
};

/// An engine with one tool behind the layer.
fn engine(namespace: &NamespaceName) -> Arc<dyn ToolEngine> {
    let mut tool = Tool::new("book".parse().expect("a name"));
    tool.input_schema = RawJson::from(json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1},
            "nights": {"type": "integer", "minimum": 1, "maximum": 30},
            "guests": {"type": "array", "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
                "required": ["name"],
            }},
            "breakfast": {"type": "boolean"},
        },
        "required": ["city", "nights"],
        "additionalProperties": false,
    }));
    let engine = StaticEngine::builder()
        .tool(tool, async |_cx, arguments: RawJson| {
            Ok(ToolOutput::structured(&arguments))
        })
        .build()
        .expect("each name occurs once");
    ValidateLayer::new(ArgumentRepair::On).layer(namespace, Arc::new(engine))
}

fn validate(criterion: &mut Criterion) {
    let namespace: NamespaceName = "demo".parse().expect("a name");
    let engine = engine(&namespace);
    let guests: Vec<Value> = (0..10)
        .map(|age| json!({"name": "somebody", "age": age}))
        .collect();
    let rows = [
        ("fits", json!({"city": "Bern", "nights": 2, "breakfast": true})),
        (
            "fits, 10 guests",
            json!({"city": "Bern", "nights": 2, "guests": guests}),
        ),
        (
            "repaired",
            json!({"city": "Bern", "nights": "2", "breakfast": true}),
        ),
        ("refused", json!({"city": "Bern", "nights": 99})),
    ];
    let mut group = criterion.benchmark_group("validate");
    for (name, arguments) in rows {
        let arguments = RawJson::from(arguments);
        group.bench_function(name, |bench| {
            bench.iter(|| {
                let cx = CallContext::new(Caller::local(), namespace.clone());
                let tool = "book".parse().expect("a name");
                let call = EngineRequest::call_tool(tool, black_box(&arguments).clone());
                engine.serve(cx, call).now_or_never().expect("nothing waits")
            });
        });
    }
}

criterion_group!(benches, validate);
criterion_main!(benches);
