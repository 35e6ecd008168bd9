//! A call to a worker and back: its frame is written, carried over a pipe, answered, read and cut.
#![allow(missing_docs, reason = "`criterion_group` makes a public function")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tooldock_engine::{CallContext, Caller, EngineRequest, RawJson};
use tooldock_worker::testing::FakeWorker;

fn frame(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime can be made");
    let _inside = runtime.enter();
    let (connection, mut worker, end) = FakeWorker::connect();
    let cx = CallContext::new(Caller::local(), "demo".parse().expect("a name"));
    let mut group = criterion.benchmark_group("rpc frame");
    for bytes in [20, 4_000] {
        let arguments = RawJson::from(serde_json::json!({"text": "x".repeat(bytes)}));
        let result = format!(r#"{{"content":[],"structuredContent":{arguments},"isError":false}}"#);
        let tool = "echo".parse().expect("a name");
        let EngineRequest::CallTool(call) = EngineRequest::call_tool(tool, arguments) else {
            unreachable!("this is what was made")
        };
        group.bench_function(BenchmarkId::from_parameter(bytes), |bench| {
            bench.iter(|| {
                runtime.block_on(async {
                    let play = async {
                        let frame = worker.next().await.expect("a frame");
                        worker.answer(&frame, &result).await;
                    };
                    tokio::join!(connection.call(&cx, &call), play).0
                })
            });
        });
    }
    end.abort();
}

criterion_group!(benches, frame);
criterion_main!(benches);
