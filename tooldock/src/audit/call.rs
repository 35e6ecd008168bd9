//! The line about a request that has ended.

use std::time::{Duration, SystemTime};

use serde_json::Number;
use tooldock_engine::{EngineReply, ErrorKind, NamespaceName, RawJson, secret::redact_json};

use super::{
    AuditSettings,
    line::{Line, cut},
};
use crate::layers::{CallRecord, Outcome, Subject};

/// Bytes of a text that came from a client, such as the address of a resource.
const TEXT_BYTES: usize = 256;

/// The line about `record`, which ended at `time`. Everything in it has a bound.
pub(super) fn line(record: &CallRecord<'_>, time: SystemTime, settings: &AuditSettings) -> Line {
    let cx = record.cx;
    let most = settings.content_bytes;
    let arguments = record
        .arguments
        .filter(|_| most > 0)
        .map(|arguments| clean(arguments, settings, cx.namespace()));
    let result = record.reply.filter(|_| most > 0).and_then(content);
    let name = match record.subject {
        Subject::Tool(tool) => Some(tool.as_str()),
        Subject::Resource(uri) => Some(cut(uri, TEXT_BYTES)),
        Subject::Prompt(name) => Some(cut(name, TEXT_BYTES)),
        _ => None,
    };
    let caller = cx.caller();
    let trace = cx.trace().parent.as_deref();
    let request_id = Some(cx.request_id()).filter(|id| !id.is_empty());
    Line::of(time, "call", |out| {
        out.maybe_string("request_id", request_id.map(|id| cut(id, TEXT_BYTES)))
            .maybe_string("traceparent", trace.map(|parent| cut(parent, TEXT_BYTES)))
            .string("principal", caller.principal.name())
            .maybe_string("peer", caller.peer.map(|peer| peer.to_string()).as_deref())
            .string("door", caller.door.label())
            .maybe_string("protocol", cx.protocol())
            .string("namespace", cx.namespace().as_str())
            .string("what", record.subject.label())
            .maybe_string("name", name)
            .string("verdict", verdict(record.outcome))
            .string("outcome", record.outcome.label())
            .number("took_ms", milliseconds(record.took))
            .number("queued_ms", milliseconds(record.queued))
            .number("worked_ms", milliseconds(record.worked));
        if !record.processor.is_zero() {
            out.number("processor_ms", milliseconds(record.processor));
        }
        out.number("request_bytes", record.request_bytes)
            .number("reply_bytes", record.reply_bytes)
            .flag("repaired", record.repaired);
        if let Some(revision) = cx.revision() {
            out.number("snapshot", revision);
        }
        out.maybe_string(
            "arguments",
            arguments.as_ref().map(|json| cut(json.as_str(), most)),
        )
        .maybe_string("result", result.map(|json| cut(json.as_str(), most)));
    })
}

/// `arguments` without known secrets; nothing of them where that fails.
fn clean(arguments: &RawJson, settings: &AuditSettings, namespace: &NamespaceName) -> RawJson {
    match settings.redact.as_ref().and_then(|redact| redact.of(namespace)) {
        Some(redactor) => redact_json(&*redactor, arguments).unwrap_or_else(|_| RawJson::null()),
        None => arguments.clone(),
    }
}

/// What a reply consists of.
fn content(reply: &EngineReply) -> Option<&RawJson> {
    match reply {
        EngineReply::Tool(output) => Some(output.structured.as_ref().unwrap_or(&output.content)),
        EngineReply::Resource(output) => Some(&output.contents),
        EngineReply::Prompt(output) => Some(&output.messages),
        EngineReply::InputRequired(input) => Some(&input.requests),
        _ => None,
    }
}

/// Whether the caller was given what he asked for, or told that he may not have it or that there is no such thing.
fn verdict(outcome: Outcome) -> &'static str {
    use ErrorKind::{Forbidden, NamespaceUnknown, Unauthorized, UnknownPrompt, UnknownResource, UnknownTool};
    match outcome {
        Outcome::Refused(
            Unauthorized | Forbidden | NamespaceUnknown | UnknownTool | UnknownResource | UnknownPrompt,
        ) => "denied",
        _ => "allowed",
    }
}

/// Milliseconds to the microsecond.
fn milliseconds(time: Duration) -> Number {
    let milliseconds = (time.as_secs_f64() * 1e6).round() / 1e3;
    Number::from_f64(milliseconds).expect("a time is finite")
}
