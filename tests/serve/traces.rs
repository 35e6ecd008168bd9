//! Traces and metrics as a collector of OpenTelemetry gets them.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tooldock_tests::{Gateway, Tools};

/// How long something may take on a busy machine.
const SOON: Duration = Duration::from_secs(30);
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// Listens like a collector on loopback: paths and bodies of what it is sent.
fn collector() -> (String, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (told, heard) = mpsc::sync_channel(1000);
    // It ends with the process of the tests.
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, told) = (stream.unwrap(), told.clone());
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while let Some((path, body)) = read(&mut reader) {
                    let answer =
                        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
                    if stream.write_all(answer).is_err() || told.send((path, body)).is_err() {
                        return;
                    }
                }
            });
        }
    });
    (address, heard)
}

/// One request: its path and its body.
fn read(reader: &mut impl BufRead) -> Option<(String, Value)> {
    let mut line = String::new();
    let mut next = |reader: &mut dyn BufRead| {
        line.clear();
        reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
        Some(line.trim_end().to_ascii_lowercase())
    };
    let path = next(reader)?.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let header = next(reader)?;
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).ok()?))
}

/// The spans of one call, once all of them are there.
fn spans(heard: &Receiver<(String, Value)>) -> Vec<Value> {
    let end = Instant::now() + SOON;
    loop {
        let (path, body) = heard
            .recv_timeout(end - Instant::now())
            .expect("the collector is told");
        let spans = &body["resourceSpans"][0]["scopeSpans"][0]["spans"];
        if path == "/v1/traces" && spans[0]["name"] == "tool trace" {
            return spans.as_array().unwrap().clone();
        }
    }
}

fn time(span: &Value, which: &str) -> u128 {
    span[which].as_str().unwrap().parse().unwrap()
}

#[test]
fn a_call_is_one_trace_over_queue_engine_and_worker() {
    let (address, heard) = collector();
    let tools = Tools::new();
    let tool = "from tooldock import Context, tool\n\n@tool\nasync def trace(ctx: Context) -> dict:\n    \"\"\"What the worker was given.\"\"\"\n    return dict(ctx.trace)\n";
    tools.write("demo", "tool.py", tool);
    let gateway = Gateway::start_with(tools.path(), &[("OTEL_EXPORTER_OTLP_ENDPOINT", &address)]);
    let parent = format!("00-{TRACE}-{CALLER}-01");
    let headers = [("traceparent", parent.as_str()), ("tracestate", "a=1")];
    let answer = gateway.http().post("/demo/tools/trace", &json!({}), &headers);
    assert_eq!(answer.status, 200, "{answer:?}");
    let spans = spans(&heard);
    let root = &spans[0];
    assert_eq!(
        (&root["traceId"], &root["parentSpanId"]),
        (&json!(TRACE), &json!(CALLER))
    );
    assert_eq!(
        (&root["traceState"], &root["status"]["code"]),
        (&json!("a=1"), &json!(0))
    );
    let named = |name: &str| {
        spans
            .iter()
            .find(|span| span["name"] == name)
            .unwrap_or_else(|| panic!("{name}: {spans:?}"))
    };
    for (name, parent) in [("engine", root), ("worker", named("engine")), ("queue", root)] {
        let span = named(name);
        assert_eq!(
            (&span["traceId"], &span["parentSpanId"]),
            (&json!(TRACE), &parent["spanId"]),
            "{name}"
        );
        assert!(
            time(span, "startTimeUnixNano") >= time(parent, "startTimeUnixNano"),
            "{name}"
        );
        assert!(
            time(span, "endTimeUnixNano") <= time(parent, "endTimeUnixNano"),
            "{name}"
        );
    }
    // The worker goes on with the span of the call.
    let given = format!("00-{TRACE}-{}-01", root["spanId"].as_str().unwrap());
    assert_eq!(answer.body["traceparent"], given);
    // Who does not record a trace is not recorded.
    let silent = format!("00-{TRACE}-{CALLER}-00");
    let answer = gateway
        .http()
        .post("/demo/tools/trace", &json!({}), &[("traceparent", &silent)]);
    assert_eq!(answer.body["traceparent"], silent);
    assert_eq!(gateway.end().code(), Some(0));
    // What is left is sent at the end.
    let rest: Vec<_> = heard.try_iter().collect();
    assert!(rest.iter().all(|(path, _)| path != "/v1/traces"), "{rest:?}");
    let numbers = rest
        .iter()
        .rfind(|(path, _)| path == "/v1/metrics")
        .map(|(_, body)| body)
        .expect("metrics are sent");
    let metrics = &numbers["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
    assert_eq!(metrics[0]["name"], "tooldock_calls_total");
    assert_eq!(metrics[0]["sum"]["dataPoints"][0]["asInt"], "2", "{metrics}");
    assert_eq!(
        metrics[1]["histogram"]["dataPoints"][0]["count"], "2",
        "{metrics}"
    );
}
