//! What is told of one request when it has ended.

use std::time::Duration;

use tooldock_engine::{
    CallContext, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson, ToolName,
    request::{Answers, ResourceUri},
};

/// One request to an engine, told when it has ended.
#[derive(Debug)]
#[non_exhaustive]
pub struct CallRecord<'a> {
    /// Who asked, in which namespace, through which door, under which request id, in which trace.
    pub cx: &'a CallContext,
    /// What was asked for.
    pub subject: &'a Subject,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took, the queue and the answers of its client included.
    pub took: Duration,
    /// How long it waited for its turn.
    pub queued: Duration,
    /// How long it took without the time in which it waited for answers of its client.
    pub worked: Duration,
    /// How much processor time the engine says that it used; zero where it does not say.
    pub processor: Duration,
    /// Bytes of the arguments, and of the answers to earlier questions.
    pub request_bytes: usize,
    /// Bytes of the reply; 0 when there was none.
    pub reply_bytes: usize,
    /// Whether the arguments were [repaired](super::ArgumentRepair).
    pub repaired: bool,
    /// The arguments of a tool, as they came.
    pub arguments: Option<&'a RawJson>,
    /// What was answered, if it was no error.
    pub reply: Option<&'a EngineReply>,
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// A run of this tool.
    Tool(ToolName),
    /// The content of this resource.
    Resource(ResourceUri),
    /// This prompt, filled in.
    Prompt(String),
    /// Proposals for what a user types.
    Completion,
    /// Something that this version does not know.
    Other,
}

impl Subject {
    /// What `request` asks for.
    ///
    /// ```
    /// use tooldock::{EngineRequest, RawJson, layers::Subject};
    /// let request = EngineRequest::call_tool("add".parse()?, RawJson::empty_object());
    /// assert_eq!(Subject::of(&request), Subject::Tool("add".parse()?));
    /// # Ok::<(), tooldock::engine::name::NameError>(())
    /// ```
    #[must_use]
    pub fn of(request: &EngineRequest) -> Self {
        match request {
            EngineRequest::CallTool(call) => Self::Tool(call.tool.clone()),
            EngineRequest::ReadResource(read) => Self::Resource(read.uri.clone()),
            EngineRequest::GetPrompt(get) => Self::Prompt(get.name.clone()),
            EngineRequest::Complete(_) => Self::Completion,
            _ => Self::Other,
        }
    }

    /// Its sort, as logs and metrics name it.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Tool(_) => "tool",
            Self::Resource(_) => "resource",
            Self::Prompt(_) => "prompt",
            Self::Completion => "completion",
            Self::Other => "other",
        }
    }
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// With an answer.
    Answered,
    /// With an answer in which the tool says that it failed.
    Failed,
    /// With questions to the client, who may come back with answers.
    InputRequired,
    /// With an error.
    Refused(ErrorKind),
    /// Nobody waited for the answer any more.
    Abandoned,
}

impl Outcome {
    /// How `result` ends a request.
    #[must_use]
    pub fn of(result: &Result<EngineReply, EngineError>) -> Self {
        match result {
            Ok(EngineReply::Tool(output)) if output.failed => Self::Failed,
            Ok(EngineReply::InputRequired(_)) => Self::InputRequired,
            Ok(_) => Self::Answered,
            Err(error) => Self::Refused(error.kind()),
        }
    }

    /// The name in logs and metrics; one of a small set.
    ///
    /// ```
    /// use tooldock::{ErrorKind, layers::Outcome};
    /// assert_eq!(Outcome::Answered.label(), "ok");
    /// assert_eq!(Outcome::Refused(ErrorKind::Timeout).label(), "execution_timeout");
    /// assert_eq!(Outcome::Failed.label(), Outcome::Refused(ErrorKind::ToolFailed).label(), "a tool fails in two ways");
    /// ```
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Answered => "ok",
            Self::Failed => ErrorKind::ToolFailed.code(),
            Self::InputRequired => ErrorKind::InputRequired.code(),
            Self::Refused(kind) => kind.code(),
            Self::Abandoned => "abandoned",
        }
    }
}

/// The arguments of the tool that `request` runs.
pub(super) fn arguments(request: &EngineRequest) -> Option<&RawJson> {
    match request {
        EngineRequest::CallTool(call) => Some(&call.arguments),
        _ => None,
    }
}

/// Bytes that a client sent with `request`.
pub(super) fn request_bytes(request: &EngineRequest) -> usize {
    let answered = |answers: &Option<Answers>| answers.as_ref().map_or(0, |answers| answers.responses.len());
    match request {
        EngineRequest::CallTool(call) => call.arguments.len() + answered(&call.answers),
        EngineRequest::ReadResource(read) => answered(&read.answers),
        EngineRequest::GetPrompt(get) => {
            let texts = get.arguments.iter().map(|(name, value)| name.len() + value.len());
            texts.sum::<usize>() + answered(&get.answers)
        }
        EngineRequest::Complete(complete) => complete.value.len(),
        _ => 0,
    }
}

/// Bytes of `reply` that go to the client.
pub(super) fn reply_bytes(reply: &EngineReply) -> usize {
    let optional = |part: &Option<RawJson>| part.as_ref().map_or(0, RawJson::len);
    match reply {
        EngineReply::Tool(output) => {
            output.content.len() + optional(&output.structured) + optional(&output.meta)
        }
        EngineReply::Resource(output) => output.contents.len(),
        EngineReply::Prompt(output) => output.messages.len(),
        EngineReply::Completion(output) => output.values.iter().map(String::len).sum(),
        EngineReply::InputRequired(input) => input.requests.len(),
        _ => 0,
    }
}
