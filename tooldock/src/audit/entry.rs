//! What is kept of a request between its end and its line.

use std::time::{Duration, SystemTime};

use tooldock_engine::{Caller, EngineReply, NamespaceName, RawJson, secret::redact_json};

use super::AuditSettings;
use crate::layers::{CallRecord, Outcome, Subject};

/// Bytes of a text that came from a client, such as the address of a resource.
const TEXT_BYTES: usize = 256;

/// One request that has ended. Everything in it has a bound, and hardly anything of it is copied.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) time: SystemTime,
    pub(super) request_id: Box<str>,
    pub(super) trace: Option<Box<str>>,
    pub(super) caller: Caller,
    pub(super) protocol: Option<&'static str>,
    pub(super) namespace: NamespaceName,
    pub(super) subject: Subject,
    pub(super) outcome: Outcome,
    pub(super) took: Duration,
    pub(super) queued: Duration,
    pub(super) worked: Duration,
    pub(super) processor: Duration,
    pub(super) request_bytes: usize,
    pub(super) reply_bytes: usize,
    pub(super) repaired: bool,
    pub(super) snapshot: Option<u64>,
    pub(super) arguments: Option<Box<str>>,
    pub(super) result: Option<Box<str>>,
}

impl Entry {
    pub(super) fn of(record: &CallRecord<'_>, time: SystemTime, settings: &AuditSettings) -> Self {
        let cx = record.cx;
        let subject = match record.subject {
            Subject::Resource(uri) if uri.len() > TEXT_BYTES => {
                Subject::Resource(cut(uri, TEXT_BYTES).into())
            }
            Subject::Prompt(name) => Subject::Prompt(cut(name, TEXT_BYTES).to_owned()),
            other => other.clone(),
        };
        let wants_content = settings.content_bytes > 0;
        let shown = |text: &str| cut(text, settings.content_bytes).into();
        Self {
            time,
            request_id: cut(cx.request_id(), TEXT_BYTES).into(),
            trace: cx
                .trace()
                .parent
                .as_deref()
                .map(|parent| cut(parent, TEXT_BYTES).into()),
            caller: cx.caller().clone(),
            protocol: cx.protocol(),
            namespace: cx.namespace().clone(),
            subject,
            outcome: record.outcome,
            took: record.took,
            queued: record.queued,
            worked: record.worked,
            processor: record.processor,
            request_bytes: record.request_bytes,
            reply_bytes: record.reply_bytes,
            repaired: record.repaired,
            snapshot: cx.revision(),
            arguments: record
                .arguments
                .filter(|_| wants_content)
                .map(|arguments| shown(clean(arguments, settings, cx.namespace()).as_str())),
            result: record
                .reply
                .filter(|_| wants_content)
                .and_then(content)
                .map(|result| shown(result.as_str())),
        }
    }
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

/// At most `most` bytes from the beginning of `text`.
pub(super) fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
