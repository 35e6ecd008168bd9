//! One conversation, message by message.

use std::collections::HashMap;

use serde_json::Value;

use crate::schema::schema;

/// What messages of a server are checked as.
#[derive(Debug, Clone, Default)]
pub struct Judge {
    /// The revision that is spoken, if it is known.
    revision: Option<String>,
    /// The methods of what was asked, by id.
    methods: HashMap<String, String>,
}

/// The member of `_meta` in which a message states its revision.
const STATED: &str = "io.modelcontextprotocol/protocolVersion";

/// The definition of the result of a method.
const RESULTS: &[(&str, &str)] = &[
    ("initialize", "InitializeResult"),
    ("server/discover", "DiscoverResult"),
    ("ping", "EmptyResult"),
    ("logging/setLevel", "EmptyResult"),
    ("resources/subscribe", "EmptyResult"),
    ("resources/unsubscribe", "EmptyResult"),
    ("tools/list", "ListToolsResult"),
    ("tools/call", "CallToolResult"),
    ("prompts/list", "ListPromptsResult"),
    ("prompts/get", "GetPromptResult"),
    ("resources/list", "ListResourcesResult"),
    ("resources/templates/list", "ListResourceTemplatesResult"),
    ("resources/read", "ReadResourceResult"),
    ("completion/complete", "CompleteResult"),
    ("subscriptions/listen", "SubscriptionsListenResult"),
];

impl Judge {
    /// Judges the answers to the message or batch `asked`, which is of the named revision, or of the one that it states. Where there is
    /// neither, only the answer to `initialize` is judged, and what comes after it.
    #[must_use]
    pub fn of(revision: Option<String>, asked: &str) -> Self {
        let mut judge = Self::default();
        judge.note(&serde_json::from_str(asked).unwrap_or_default());
        judge.revision = revision.or(judge.revision);
        judge
    }

    /// Judges the answers to another message or batch as well. A message that states its revision changes it.
    pub fn note(&mut self, asked: &Value) {
        if let Some(stated) = asked["params"]["_meta"][STATED].as_str() {
            self.revision = Some(stated.to_owned());
        }
        let asked = asked
            .as_array()
            .map_or(std::slice::from_ref(asked), Vec::as_slice);
        let method = |one: &Value| Some((one["id"].to_string(), one["method"].as_str()?.to_owned()));
        self.methods.extend(asked.iter().filter_map(method));
    }

    /// Judges all that was said in a conversation in which `asked` was asked; tells how many messages there were.
    ///
    /// # Panics
    ///
    /// As [`check`](Self::check).
    pub fn conversation(asked: impl IntoIterator<Item = Value>, mut said: Vec<Value>) -> usize {
        let mut judge = Self::default();
        asked.into_iter().for_each(|message| judge.note(&message));
        // What comes after `initialize` is of the revision in its answer; streams are read in any order.
        said.sort_by_key(|message| !message["result"]["protocolVersion"].is_string());
        said.iter().for_each(|message| judge.check(message));
        said.len()
    }

    /// The revision that is spoken, if it is known.
    pub(crate) fn revision(&self) -> Option<&str> {
        self.revision.as_deref()
    }

    /// Checks a message, or each of a batch; the answer to `initialize`, and what comes after it, by the revision that it names.
    ///
    /// # Panics
    ///
    /// When it is not what the published schema says.
    pub fn check(&mut self, message: &Value) {
        if let Some(batch) = message.as_array() {
            return batch.iter().for_each(|message| self.check(message));
        }
        if let Some(negotiated) = message["result"]["protocolVersion"].as_str() {
            self.revision = Some(negotiated.to_owned());
        }
        let revision = match self.revision.as_deref() {
            // The oldest has no published JSON schema of its own here; what it has, the next one has as well.
            Some("2024-11-05") => "2025-03-26",
            Some(revision) => revision,
            None => return,
        };
        let Some(schema) = schema(revision) else { return };
        let (part, definition) = if message["result"].is_object() {
            let method = self.methods.get(&message["id"].to_string());
            let known = RESULTS
                .iter()
                .find(|(known, _)| Some(*known) == method.map(String::as_str));
            let definition = match message["result"]["resultType"].as_str() {
                Some("input_required") => "InputRequiredResult",
                _ => known.map_or("Result", |(_, definition)| definition),
            };
            (&message["result"], definition)
        } else if message["error"].is_object() {
            // The id is null where it could not be read, as JSON-RPC has it; the schemas know no such answer.
            (&message["error"], "Error")
        } else if message["id"].is_null() {
            (message, "ServerNotification")
        } else {
            (message, "ServerRequest")
        };
        // Errors have a definition of their own in the later schemas only, some results in none.
        let definition = match definition {
            named if schema.has(named) => named,
            "Error" => return,
            _ => "Result",
        };
        let broken = schema.judge(definition, part);
        assert!(
            broken.is_none(),
            "{revision} {definition}: {broken:?} in {message}"
        );
    }
}
