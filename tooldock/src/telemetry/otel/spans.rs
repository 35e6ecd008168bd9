//! Spans as OTLP has them (`ExportTraceServiceRequest`).

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::time::Instant;
use tooldock_engine::{context::Step, error::Fault};

use crate::layers::{CallSpan, Outcome, Subject};

/// `SpanKind` of OTLP.
const INTERNAL: u8 = 1;
const SERVER: u8 = 2;
const CLIENT: u8 = 3;

/// The body that tells of `calls`.
pub(super) fn body(resource: &Value, calls: &[CallSpan]) -> Value {
    let spans: Vec<_> = calls.iter().flat_map(spans).collect();
    json!({"resourceSpans": [{
        "resource": resource,
        "scopeSpans": [{"scope": {"name": "tooldock"}, "spans": spans}],
    }]})
}

/// A text as an attribute.
pub(super) fn attribute(key: &str, text: &str) -> Value {
    json!({"key": key, "value": {"stringValue": text}})
}

/// A moment as OTLP writes it: nanoseconds since 1970, as a text.
pub(super) fn nanoseconds(time: SystemTime) -> String {
    time.duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos()
        .to_string()
}

/// The span of a call, and those of its steps.
fn spans(call: &CallSpan) -> Vec<Value> {
    let Some(own) = call.trace.ids() else {
        return Vec::new();
    };
    let name = match &call.subject {
        Subject::Tool(tool) => Some(tool.as_str()),
        Subject::Resource(uri) => Some(&**uri),
        Subject::Prompt(name) => Some(name.as_str()),
        _ => None,
    };
    let texts = [
        ("tooldock.namespace", Some(call.namespace.as_str())),
        ("tooldock.name", name),
        ("tooldock.door", Some(call.caller.door.label())),
        ("tooldock.outcome", Some(call.outcome.label())),
        ("tooldock.principal", Some(call.caller.principal.name())),
        ("tooldock.request_id", Some(&call.request_id)),
        ("mcp.protocol.version", call.protocol),
    ];
    let attributes = texts
        .iter()
        .filter_map(|(key, text)| Some(attribute(key, (*text)?)));
    let mut root = json!({
        "traceId": own.trace,
        "spanId": own.span,
        "name": format!("{} {}", call.subject.label(), name.unwrap_or_default()).trim_end(),
        "kind": SERVER,
        "startTimeUnixNano": nanoseconds(call.time),
        "endTimeUnixNano": nanoseconds(call.time + call.took),
        "attributes": attributes.collect::<Vec<_>>(),
        "status": {"code": if is_error(call.outcome) { 2 } else { 0 }},
    });
    if let Some(parent) = call.parent.ids() {
        root["parentSpanId"] = json!(parent.span);
    }
    if let Some(state) = &call.trace.state {
        root["traceState"] = json!(&**state);
    }
    let at = |moment: Instant| nanoseconds(call.time + moment.saturating_duration_since(call.began));
    let below = call.steps.iter().enumerate().map(|(number, step)| {
        let parent = enclosing(&call.steps, number);
        json!({
            "traceId": own.trace,
            "spanId": step_id(own.span, number),
            "parentSpanId": parent.map_or_else(|| own.span.to_owned(), |parent| step_id(own.span, parent)),
            "name": step.name,
            "kind": if step.name == "worker" { CLIENT } else { INTERNAL },
            "startTimeUnixNano": at(step.began),
            "endTimeUnixNano": at(step.ended),
        })
    });
    [root].into_iter().chain(below).collect()
}

/// Whether somebody has to repair something.
fn is_error(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Failed => true,
        Outcome::Refused(kind) => kind.row().fault != Fault::Caller,
        _ => false,
    }
}

/// The shortest step around this one.
fn enclosing(steps: &[Step], number: usize) -> Option<usize> {
    let step = &steps[number];
    let length = |step: &Step| step.ended.saturating_duration_since(step.began);
    let around = steps.iter().enumerate().filter(|(other, outer)| {
        // Of steps with equal times the one that ended later is the outer one.
        let longer = length(outer) > length(step) || (length(outer) == length(step) && *other > number);
        longer && outer.began <= step.began && outer.ended >= step.ended
    });
    around
        .min_by_key(|(_, outer)| length(outer))
        .map(|(other, _)| other)
}

/// The id of a step: that of its call, with the number of the step added.
fn step_id(span: &str, number: usize) -> String {
    let own = u64::from_str_radix(span, 16).unwrap_or_default();
    let id = own.wrapping_add(1 + number as u64);
    format!("{:016x}", id.max(1))
}
