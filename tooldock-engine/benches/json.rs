//! Scanning texts from strangers, and splicing answers together.
#![allow(missing_docs, reason = "`criterion_group` makes a public function")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tooldock_engine::{
    RawJson,
    json::{ObjectWriter, ScanLimits},
};

/// A call, with an argument of so many bytes.
fn call(bytes: usize) -> String {
    let text = "words and \\\"quotes\\\" ".repeat(bytes / 20 + 1);
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"{text}","numbers":[1,2.5,-3e4],"deep":{{"a":[true,null]}}}}}}}}"#
    )
}

fn scan(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scan");
    for bytes in [20, 4_000, 200_000] {
        let text = bytes::Bytes::from(call(bytes));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(text.len()), &text, |bench, text| {
            bench.iter(|| RawJson::scan(text.clone(), ScanLimits::MESSAGE));
        });
    }
}

fn splice(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("splice");
    for bytes in [20, 4_000, 200_000] {
        let part = RawJson::scan(call(bytes), ScanLimits::MESSAGE).expect("it is JSON");
        group.throughput(Throughput::Bytes(part.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(part.len()), &part, |bench, part| {
            bench.iter(|| {
                let mut out = ObjectWriter::with_capacity(part.len() + 256);
                out.string("jsonrpc", "2.0")
                    .number("id", 1)
                    .object("result", |result| {
                        result.raw("structuredContent", black_box(part));
                        result.flag("isError", false);
                    });
                out.finish()
            });
        });
    }
}

criterion_group!(benches, scan, splice);
criterion_main!(benches);
