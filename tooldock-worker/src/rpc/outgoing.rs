//! Frames to the worker.

use serde::Serialize;
use tooldock_engine::{
    CallContext, RawJson,
    context::{AskKind, Client},
    json::ObjectWriter,
    request::CallTool,
};

use super::id::RequestId;

/// Bytes a line to a worker may have.
pub(super) const MAX_LINE: usize = 16 << 20;
/// The questions a client may answer, by their names on the wire.
const ASKS: [(AskKind, &str); 4] = [
    (AskKind::ElicitForm, "elicitation/form"),
    (AskKind::ElicitUrl, "elicitation/url"),
    (AskKind::Sample, "sampling"),
    (AskKind::Roots, "roots"),
];

/// The first frame: what the namespace is given.
#[derive(Debug, Serialize)]
pub(crate) struct Start<'a> {
    /// Environment of the tools, secrets included.
    pub(crate) env: &'a std::collections::BTreeMap<&'a str, std::borrow::Cow<'a, str>>,
    /// Threads for synchronous tools.
    pub(crate) threads: usize,
    /// Bytes a result may have, encoded as JSON.
    pub(crate) max_result_bytes: usize,
    /// Names of the secrets the manifest declares.
    pub(crate) declared: &'a [String],
    /// Those of them that have no value.
    pub(crate) missing: &'a [String],
    /// Those of them that somebody has prepared.
    pub(crate) waiting: &'a [String],
}

impl Start<'_> {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        #[derive(Serialize)]
        struct Frame<'a> {
            op: &'static str,
            protocol: u32,
            #[serde(flatten)]
            start: &'a Start<'a>,
        }
        let frame = Frame {
            op: "start",
            protocol: super::PROTOCOL,
            start: self,
        };
        serde_json::to_writer(out, &frame).expect("texts and numbers always fit into a growing buffer");
    }
}

fn text(out: &mut Vec<u8>, value: &str) {
    serde_json::to_writer(out, value).expect("a text always fits into a growing buffer");
}

fn member(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(name.as_bytes());
}

/// `tools.call`, with the arguments copied as they are.
pub(super) fn write_call(out: &mut Vec<u8>, id: RequestId, call: &CallTool, cx: &CallContext) {
    out.reserve(call.arguments.len() + 256);
    member(out, r#"{"op":"tools.call","id":"#);
    id.write(out);
    member(out, r#","tool":"#);
    text(out, call.tool.as_str());
    member(out, r#","arguments":"#);
    out.extend_from_slice(call.arguments.as_bytes());
    write_context(out, cx);
    out.push(b'}');
}

/// A request that a client waits for, with the members of `frame`.
pub(super) fn write_frame(out: &mut Vec<u8>, op: &str, id: RequestId, frame: &RawJson, cx: &CallContext) {
    out.reserve(frame.len() + 256);
    member(out, r#"{"op":"#);
    text(out, op);
    member(out, r#","id":"#);
    id.write(out);
    out.push(b',');
    // Without its braces: it has at least one member.
    out.extend_from_slice(&frame.as_bytes()[1..frame.len() - 1]);
    write_context(out, cx);
    out.push(b'}');
}

fn write_context(out: &mut Vec<u8>, cx: &CallContext) {
    let start = out.len();
    let mut first = true;
    let mut next = |out: &mut Vec<u8>, name: &str| {
        member(
            out,
            if std::mem::take(&mut first) {
                r#","context":{"#
            } else {
                ","
            },
        );
        member(out, name);
    };
    if !cx.request_id().is_empty() {
        next(out, r#""request_id":"#);
        text(out, cx.request_id());
    }
    let asks = supported(cx.client());
    if !asks.is_empty() {
        next(out, r#""asks":"#);
        serde_json::to_writer(&mut *out, &asks).expect("texts always fit into a growing buffer");
    }
    if let Some(parent) = &cx.trace().parent {
        next(out, r#""trace":{"traceparent":"#);
        text(out, parent);
        if let Some(state) = &cx.trace().state {
            member(out, r#","tracestate":"#);
            text(out, state);
        }
        out.push(b'}');
    }
    if out.len() > start {
        out.push(b'}');
    }
}

fn supported(client: &Client) -> Vec<&'static str> {
    let able = ASKS.iter().filter(|(kind, _)| client.supports(*kind));
    able.map(|(_, name)| *name).collect()
}

/// `tools.cancel`.
pub(super) fn write_cancel(out: &mut Vec<u8>, id: RequestId, target: RequestId) {
    member(out, r#"{"op":"tools.cancel","id":"#);
    id.write(out);
    member(out, r#","target":"#);
    target.write(out);
    out.push(b'}');
}

/// A request of the supervisor itself, with `members` such as `"grace_ms":500`.
pub(super) fn write_request(out: &mut Vec<u8>, id: RequestId, op: &str, members: &str) {
    member(out, r#"{"op":"#);
    text(out, op);
    member(out, r#","id":"#);
    id.write(out);
    member(out, if members.is_empty() { "" } else { "," });
    member(out, members);
    out.push(b'}');
}

/// The client's answer to a question, or why there is none.
pub(super) fn write_answer(out: &mut Vec<u8>, ask: &str, answer: Result<&RawJson, &str>) {
    let mut frame = ObjectWriter::new();
    frame.string("op", "answer").string("ask", ask);
    match answer {
        Ok(result) => frame.raw("result", result),
        Err(message) => frame.object("error", |error| {
            error.string("message", message);
        }),
    };
    out.extend_from_slice(frame.finish().as_bytes());
}
