//! Frames from the worker.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use tooldock_engine::{
    EngineError, ErrorKind, RawJson, ToolOutput,
    context::{AskKind, LogLevel},
    error::Result,
    json::{JsonFault, JsonProblem},
};

use crate::{output::LogStream, report::ToolTraceback};

/// Any frame: which members it has says what it is.
#[derive(Debug, Deserialize)]
pub(super) struct Frame<'a> {
    #[serde(borrow)]
    pub id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub op: Option<&'a RawValue>,
    #[serde(default)]
    pub ok: bool,
    #[serde(borrow)]
    pub result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,
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

/// The answer in a response frame.
pub(super) fn read_answer(line: &RawJson, frame: &Frame<'_>) -> Result<RawJson> {
    if frame.ok {
        return Ok(frame
            .result
            .map_or_else(RawJson::null, |result| line.part(result)));
    }
    let error = frame
        .error
        .and_then(|raw| serde_json::from_str::<WireError<'_>>(raw.get()).ok());
    let Some(error) = error else {
        return Err(EngineError::new(
            ErrorKind::Internal,
            "the worker answered neither a result nor an error",
        ));
    };
    let kind = ErrorKind::from_code(&error.code)
        .filter(|kind| WORKER_KINDS.contains(kind))
        .unwrap_or(ErrorKind::Internal);
    let mut answer = EngineError::new(kind, error.message);
    if let Some(details) = error.details {
        answer = answer.with_details(line.part(details));
    }
    if let Some(traceback) = error.traceback {
        answer = answer.with_source(ToolTraceback(traceback));
    }
    Err(answer)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireOutput<'a> {
    #[serde(borrow)]
    content: &'a RawValue,
    #[serde(borrow, default, deserialize_with = "present")]
    structured_content: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
    #[serde(default)]
    is_error: bool,
}

/// A member that is there, even when it is `null`.
fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// The output in the result of a call, cut out and not copied.
pub(super) fn read_output(result: &RawJson) -> Result<ToolOutput> {
    let output: WireOutput<'_> = result.parse().map_err(|error| {
        EngineError::new(
            ErrorKind::Internal,
            "the worker's result has another form than the protocol says",
        )
        .with_source(error)
    })?;
    Ok(ToolOutput {
        content: result.part(output.content),
        structured: output.structured_content.map(|part| result.part(part)),
        meta: output.meta.map(|part| result.part(part)),
        failed: output.is_error,
    })
}

/// What a call is told whose answer is JSON but breaks a rule.
pub(super) fn refuse_answer(fault: JsonFault) -> EngineError {
    let kind = match fault.problem {
        JsonProblem::Depth | JsonProblem::Values => ErrorKind::ResultTooLarge,
        _ => ErrorKind::Internal,
    };
    let what = match fault.problem {
        JsonProblem::Depth => "is nested deeper than 128 levels",
        JsonProblem::Values => "has more than 2,000,000 values",
        JsonProblem::Repeated => "repeats a member name in one object",
        JsonProblem::Number => "has a number that a 64-bit float cannot hold",
        _ => "is no proper JSON",
    };
    EngineError::new(
        kind,
        format!("the tool's result {what}; let it return something simpler"),
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
