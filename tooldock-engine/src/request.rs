//! What an engine can be asked.

use std::collections::BTreeMap;

use crate::{json::RawJson, name::ToolName};

/// The address of a resource.
pub type ResourceUri = std::sync::Arc<str>;

/// One request to an engine.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum EngineRequest {
    /// Run a tool.
    CallTool(CallTool),
    /// Read a resource.
    ReadResource(ReadResource),
    /// Fill in a prompt.
    GetPrompt(GetPrompt),
    /// Complete what a user types.
    Complete(Complete),
}

/// Run a tool.
#[derive(Debug, Clone)]
pub struct CallTool {
    /// Which tool.
    pub tool: ToolName,
    /// Its arguments: an object.
    pub arguments: RawJson,
    /// Answers to what the engine asked for earlier.
    pub answers: Option<Answers>,
}

/// Read a resource.
#[derive(Debug, Clone)]
pub struct ReadResource {
    /// Which resource.
    pub uri: ResourceUri,
    /// Answers to what the engine asked for earlier.
    pub answers: Option<Answers>,
}

/// Fill in a prompt.
///
/// ```
/// use tooldock_engine::request::GetPrompt;
/// let request = GetPrompt {
///     name: "review".into(),
///     arguments: [("language".to_owned(), "rust".to_owned())].into(),
///     answers: None,
/// };
/// assert_eq!(request.arguments["language"], "rust");
/// ```
#[derive(Debug, Clone)]
pub struct GetPrompt {
    /// Which prompt.
    pub name: String,
    /// Its arguments.
    pub arguments: BTreeMap<String, String>,
    /// Answers to what the engine asked for earlier.
    pub answers: Option<Answers>,
}

/// Complete what a user types.
///
/// ```
/// use tooldock_engine::request::{Complete, Reference};
/// let request = Complete {
///     reference: Reference::Prompt("review".into()),
///     argument: "language".into(),
///     value: "ru".into(),
///     context: Default::default(),
/// };
/// assert_eq!(request.value, "ru");
/// ```
#[derive(Debug, Clone)]
pub struct Complete {
    /// What is being filled in.
    pub reference: Reference,
    /// The argument that is typed.
    pub argument: String,
    /// What has been typed so far.
    pub value: String,
    /// Arguments that are already chosen.
    pub context: BTreeMap<String, String>,
}

/// What a completion belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// A prompt, by its name.
    Prompt(String),
    /// A resource template, by its address.
    Resource(String),
}

/// The way back in after [`EngineReply::InputRequired`](crate::EngineReply::InputRequired).
#[derive(Debug, Clone)]
pub struct Answers {
    /// The answers by the keys of the questions: an object.
    pub responses: RawJson,
    /// The engine's own state, exactly as it gave it.
    pub state: Option<RawJson>,
}

impl EngineRequest {
    /// A plain tool call.
    ///
    /// ```
    /// # use tooldock_engine::{EngineRequest, RawJson};
    /// let request = EngineRequest::call_tool("add".parse()?, RawJson::from(serde_json::json!({"a": 1, "b": 2})));
    /// assert_eq!(request.tool().unwrap().as_str(), "add");
    /// # Ok::<(), tooldock_engine::name::NameError>(())
    /// ```
    #[must_use]
    pub fn call_tool(tool: ToolName, arguments: RawJson) -> Self {
        Self::CallTool(CallTool {
            tool,
            arguments,
            answers: None,
        })
    }

    /// The same request, with answers to what the engine asked for. `Complete` has no place for any.
    #[must_use]
    pub fn with_answers(mut self, given: Answers) -> Self {
        match &mut self {
            Self::CallTool(CallTool { answers, .. })
            | Self::ReadResource(ReadResource { answers, .. })
            | Self::GetPrompt(GetPrompt { answers, .. }) => *answers = Some(given),
            Self::Complete(_) => {}
        }
        self
    }

    /// The tool this request runs, if it runs one.
    #[must_use]
    pub fn tool(&self) -> Option<&ToolName> {
        match self {
            Self::CallTool(call) => Some(&call.tool),
            _ => None,
        }
    }
}
