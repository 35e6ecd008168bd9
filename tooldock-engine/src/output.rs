//! What an engine answers.

use crate::json::{ObjectWriter, RawJson};

/// The answer to an [`EngineRequest`](crate::EngineRequest).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum EngineReply {
    /// To `CallTool`.
    Tool(ToolOutput),
    /// To `ReadResource`.
    Resource(ResourceOutput),
    /// To `GetPrompt`.
    Prompt(PromptOutput),
    /// To `Complete`.
    Completion(Completion),
    /// The engine needs answers from the client first; to all but `Complete`.
    InputRequired(InputRequired),
}

/// What a tool returned. The parts are spliced into the answer of each protocol and never parsed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutput {
    /// Content blocks of MCP: an array.
    pub content: RawJson,
    /// The result as a value.
    pub structured: Option<RawJson>,
    /// The result's own `_meta`: an object.
    pub meta: Option<RawJson>,
    /// The tool's own failure (MCP `isError`); an error of the gateway is an [`EngineError`](crate::EngineError).
    pub failed: bool,
}

impl ToolOutput {
    /// One text block.
    ///
    /// ```
    /// use tooldock_engine::ToolOutput;
    /// assert_eq!(ToolOutput::text("hi").content.as_str(), r#"[{"type":"text","text":"hi"}]"#);
    /// ```
    #[must_use]
    pub fn text(text: &str) -> Self {
        let mut block = ObjectWriter::with_capacity(text.len() + 32);
        block.string("type", "text").string("text", text);
        let block = block.finish();
        let content = [b"[", block.as_bytes(), b"]"].concat();
        Self {
            content: RawJson::trusted(content.into()),
            structured: None,
            meta: None,
            failed: false,
        }
    }

    /// A value: as structured content, and as text for clients that read only that.
    ///
    /// ```
    /// # use tooldock_engine::{RawJson, ToolOutput};
    /// let output = ToolOutput::structured(&RawJson::from(serde_json::json!({"sum": 3})));
    /// assert_eq!(output.structured.unwrap().as_str(), r#"{"sum":3}"#);
    /// assert_eq!(output.content.as_str(), r#"[{"type":"text","text":"{\"sum\":3}"}]"#);
    /// ```
    #[must_use]
    pub fn structured(value: &RawJson) -> Self {
        Self {
            structured: Some(value.clone()),
            ..Self::text(value.as_str())
        }
    }

    /// The tool's own failure, told in a text.
    ///
    /// ```
    /// # use tooldock_engine::ToolOutput;
    /// assert!(ToolOutput::failure("the city `Atlantis` is not known").failed);
    /// ```
    #[must_use]
    pub fn failure(text: &str) -> Self {
        Self {
            failed: true,
            ..Self::text(text)
        }
    }
}

/// What a resource holds: an array of MCP resource contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceOutput {
    /// `contents` of MCP: an array.
    pub contents: RawJson,
}

impl ResourceOutput {
    /// One text.
    ///
    /// ```
    /// use tooldock_engine::output::ResourceOutput;
    /// let output = ResourceOutput::text("note://a", "text/plain", "hi");
    /// assert_eq!(output.contents.as_str(), r#"[{"uri":"note://a","mimeType":"text/plain","text":"hi"}]"#);
    /// ```
    #[must_use]
    pub fn text(uri: &str, mime_type: &str, text: &str) -> Self {
        Self::one(uri, mime_type, "text", text)
    }

    /// Bytes, given as base64.
    #[must_use]
    pub fn blob(uri: &str, mime_type: &str, base64: &str) -> Self {
        Self::one(uri, mime_type, "blob", base64)
    }

    fn one(uri: &str, mime_type: &str, member: &str, content: &str) -> Self {
        let mut out = ObjectWriter::with_capacity(content.len() + 128);
        out.string("uri", uri)
            .string("mimeType", mime_type)
            .string(member, content);
        Self {
            contents: RawJson::array([&out.finish()]),
        }
    }
}

/// A prompt that is filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptOutput {
    /// What it is for.
    pub description: Option<String>,
    /// `messages` of MCP: an array.
    pub messages: RawJson,
}

impl PromptOutput {
    /// One text that the user says.
    ///
    /// ```
    /// use tooldock_engine::output::PromptOutput;
    /// let output = PromptOutput::user("hi");
    /// assert_eq!(output.messages.as_str(), r#"[{"role":"user","content":{"type":"text","text":"hi"}}]"#);
    /// ```
    #[must_use]
    pub fn user(text: &str) -> Self {
        let mut out = ObjectWriter::with_capacity(text.len() + 64);
        out.string("role", "user").object("content", |block| {
            block.string("type", "text").string("text", text);
        });
        Self {
            description: None,
            messages: RawJson::array([&out.finish()]),
        }
    }
}

/// Proposals for what a user types.
///
/// ```
/// use tooldock_engine::output::Completion;
/// let completion = Completion { values: vec!["python".into(), "pytest".into()], total: Some(12), has_more: true };
/// assert!(completion.values.iter().all(|value| value.starts_with("py")));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    /// At most 100 values.
    pub values: Vec<String>,
    /// How many there are in all.
    pub total: Option<u64>,
    /// Whether there are more than these.
    pub has_more: bool,
}

/// What an engine needs to know before it can go on.
///
/// ```
/// use tooldock_engine::{RawJson, output::InputRequired};
/// let asked = InputRequired {
///     requests: RawJson::from(serde_json::json!({"who": {"method": "roots/list", "params": {}}})),
///     state: None,
/// };
/// assert!(asked.requests.as_str().contains("roots/list"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputRequired {
    /// Questions by key: an object of `{method, params}`.
    pub requests: RawJson,
    /// The engine's own state, to be given back with the answers.
    pub state: Option<RawJson>,
}
