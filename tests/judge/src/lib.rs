//! Checks messages against the published JSON schema of their revision.
//!
//! The schemas lie where `cargo xtask test` has installed the conformance suite, which carries them; without it nothing is checked, and
//! the tests of the area `conformance` fail.
#![allow(
    clippy::panic,
    clippy::expect_used,
    reason = "a message of another form ends the test"
)]

use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::{Arc, Mutex},
};

use jsonschema::Validator;
use serde_json::{Value, json};

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

/// The published schema of a revision, and its definitions that were needed so far.
#[derive(Clone)]
struct Schema {
    root: Arc<Value>,
    definitions: Arc<Mutex<HashMap<String, Arc<Validator>>>>,
}

impl Schema {
    fn has(&self, definition: &str) -> bool {
        self.root[self.all()][definition].is_object()
    }

    /// The member that holds the definitions.
    fn all(&self) -> &'static str {
        let newer = self.root["$defs"].is_object();
        if newer { "$defs" } else { "definitions" }
    }

    /// Why `part` is not what `definition` says.
    fn judge(&self, definition: &str, part: &Value) -> Option<String> {
        let mut known = self.definitions.lock().expect("nobody panics while judging");
        let validator = known.entry(definition.to_owned()).or_insert_with(|| {
            let mut root = Value::clone(&self.root);
            root["$ref"] = json!(format!("#/{}/{definition}", self.all()));
            Arc::new(jsonschema::validator_for(&root).expect("a published schema is one"))
        });
        validator.validate(part).err().map(|error| error.to_string())
    }
}

/// The schemas, by revision; nothing where they are not installed, or for a revision that nobody has published.
fn schema(revision: &str) -> Option<Schema> {
    static READ: Mutex<BTreeMap<String, Option<Schema>>> = Mutex::new(BTreeMap::new());
    let file = folder()?.join(format!("{revision}.json"));
    let mut read = READ.lock().expect("nobody panics while reading");
    let schema = read.entry(revision.to_owned()).or_insert_with(|| {
        let text = std::fs::read_to_string(&file).ok()?;
        Some(Schema {
            root: Arc::new(serde_json::from_str(&text).expect("a schema is JSON")),
            definitions: Arc::default(),
        })
    });
    schema.clone()
}

/// Where the schemas lie.
#[allow(
    clippy::disallowed_methods,
    reason = "this is how the test entry hands things to the tests"
)]
fn folder() -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("TOOLDOCK_CONFORMANCE")?).join("schemas"))
}
