//! Frames from the worker.

use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use tooldock_engine::{
    EngineError, ErrorKind, RawJson, ToolOutput,
    context::{AskKind, LogLevel},
    error::Result,
    json::{JsonFault, JsonProblem, Member, Outline},
};

use crate::{
    output::{LogStream, OutputLog, keep_end, keep_start},
    report::{MAX_TEXT, ToolTraceback},
};

/// How deep the outline of a frame goes: its members, and those of its result.
pub(super) const LEVELS: usize = 2;

/// Any frame: which members it has says what it is.
#[derive(Debug, Default)]
pub(super) struct Frame<'a> {
    pub id: Option<Member<'a>>,
    pub op: Option<Member<'a>>,
    pub ok: bool,
    pub error: Option<Member<'a>>,
    /// What the call has used of a processor, in microseconds.
    pub cpu: Option<Duration>,
}

impl<'a> Frame<'a> {
    /// Reads it; nothing if that is no frame.
    pub(super) fn of(outline: &'a Outline) -> Option<Self> {
        let mut frame = outline.json().is_object().then(Self::default)?;
        for member in outline.members() {
            let there = Some(member).filter(|member| member.text() != b"null");
            match member.name() {
                b"id" => frame.id = there,
                b"op" => frame.op = there,
                b"ok" => frame.ok = member.flag()?,
                b"error" => frame.error = there,
                b"cpu_us" => frame.cpu = there.and_then(micros),
                _ => {}
            }
        }
        Some(frame)
    }
}

/// A number of microseconds; nothing if the member is none.
fn micros(member: Member<'_>) -> Option<Duration> {
    let text = str::from_utf8(member.text()).ok()?;
    text.parse().ok().map(Duration::from_micros)
}

/// What a worker says of a request that failed.
#[derive(Debug, Deserialize)]
struct WireError<'a> {
    code: String,
    message: String,
    #[serde(borrow)]
    details: Option<&'a RawValue>,
    traceback: Option<String>,
}

/// The kinds a worker may answer; any other code is its own fault.
const WORKER_KINDS: [ErrorKind; 11] = [
    ErrorKind::UnknownTool,
    ErrorKind::UnknownResource,
    ErrorKind::UnknownPrompt,
    ErrorKind::InvalidArguments,
    ErrorKind::Dependency,
    ErrorKind::ToolFailed,
    ErrorKind::Timeout,
    ErrorKind::Cancelled,
    ErrorKind::ResultTooLarge,
    ErrorKind::InputRequired,
    ErrorKind::Overloaded,
];

/// Whether a response frame has a result, and the error if it has none, without what `output` may not show.
pub(super) fn check_answer(frame: &Frame<'_>, output: &OutputLog) -> Result<()> {
    if frame.ok {
        return Ok(());
    }
    let error = frame.error.map(Member::value);
    let wire = error
        .as_ref()
        .and_then(|error| error.parse::<WireError<'_>>().ok());
    let (Some(whole), Some(error)) = (&error, wire) else {
        return Err(EngineError::new(
            ErrorKind::Internal,
            "the worker answered neither a result nor an error",
        ));
    };
    let kind = ErrorKind::from_code(&error.code)
        .filter(|kind| WORKER_KINDS.contains(kind))
        .unwrap_or(ErrorKind::Internal);
    let message = keep_start(output.clean_text(error.message), MAX_TEXT);
    let mut answer = EngineError::new(kind, message);
    if let Some(details) = error.details {
        answer = answer.with_details(whole.part(details));
    }
    if let Some(traceback) = error.traceback {
        let traceback = keep_end(output.clean_text(traceback), MAX_TEXT);
        answer = answer.with_source(ToolTraceback(traceback));
    }
    Err(answer)
}

/// The result in a response frame; `null` if there is none.
pub(super) fn read_result(answer: &Outline) -> RawJson {
    find_result(answer).map_or_else(RawJson::null, Member::value)
}

fn find_result(answer: &Outline) -> Option<Member<'_>> {
    answer.members().find(|member| member.name() == b"result")
}

/// The output in the answer to a call, cut out and not copied.
pub(super) fn read_output(answer: &Outline) -> Result<ToolOutput> {
    let (mut content, mut structured, mut meta, mut failed) = (None, None, None, Some(false));
    for member in find_result(answer).into_iter().flat_map(Member::members) {
        match member.name() {
            b"content" => content = Some(member.value()),
            b"structuredContent" => structured = Some(member.value()),
            b"_meta" => meta = Some(member.value()).filter(|meta| !meta.is_null()),
            b"isError" => failed = member.flag(),
            _ => {}
        }
    }
    let (Some(content), Some(failed)) = (content, failed) else {
        return Err(EngineError::new(
            ErrorKind::Internal,
            "the worker's result has another form than the protocol says",
        ));
    };
    Ok(ToolOutput {
        content,
        structured,
        meta,
        failed,
    })
}

/// What a call is told whose answer is JSON but breaks a rule.
pub(super) fn refuse_answer(fault: JsonFault) -> EngineError {
    let kind = match fault.problem {
        JsonProblem::Depth(_) | JsonProblem::Values(_) => ErrorKind::ResultTooLarge,
        JsonProblem::Number => ErrorKind::InvalidOutput,
        _ => ErrorKind::Internal,
    };
    let problem = fault.problem;
    EngineError::new(
        kind,
        format!("the tool's result {problem}; let it return something simpler"),
    )
}

/// A log note, or text that a call printed.
#[derive(Debug, Deserialize)]
pub(super) struct LogFrame<'a> {
    pub level: Option<LogLevel>,
    pub logger: Option<String>,
    #[serde(borrow)]
    pub data: Option<&'a RawValue>,
    pub stream: Option<LogStream>,
    pub text: Option<String>,
}

/// A progress note.
#[derive(Debug, Deserialize)]
pub(super) struct ProgressFrame<'a> {
    #[serde(borrow)]
    pub progress: &'a RawValue,
    #[serde(borrow)]
    pub total: Option<&'a RawValue>,
    pub message: Option<String>,
}

/// A question of a call.
#[derive(Debug, Deserialize)]
pub(super) struct AskFrame<'a> {
    pub ask: String,
    pub key: Option<String>,
    pub method: String,
    #[serde(borrow)]
    pub params: Option<&'a RawValue>,
}

/// A question whose answer the call no longer waits for.
#[derive(Debug, Deserialize)]
pub(super) struct WithdrawFrame {
    pub ask: String,
}

impl AskFrame<'_> {
    /// The kind of the question, if there is one by this method.
    pub(super) fn kind(&self) -> Option<AskKind> {
        #[derive(Deserialize)]
        struct Mode {
            mode: Option<String>,
        }
        match self.method.as_str() {
            "elicitation/create" => {
                let mode = self
                    .params
                    .and_then(|raw| serde_json::from_str::<Mode>(raw.get()).ok()?.mode);
                Some(if mode.as_deref() == Some("url") {
                    AskKind::ElicitUrl
                } else {
                    AskKind::ElicitForm
                })
            }
            "sampling/createMessage" => Some(AskKind::Sample),
            "roots/list" => Some(AskKind::Roots),
            _ => None,
        }
    }
}

/// Threads of cancelled calls that still run.
#[derive(Debug, Deserialize)]
pub(super) struct AbandonedFrame {
    pub count: usize,
}

/// A resource that has another content.
#[derive(Debug, Deserialize)]
pub(super) struct UpdatedFrame {
    pub uri: String,
}
