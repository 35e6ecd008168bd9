//! The published schemas, read once.

use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::{Arc, Mutex},
};

use jsonschema::Validator;
use serde_json::{Value, json};

/// The published schema of a revision, and its definitions that were needed so far.
#[derive(Clone)]
pub(crate) struct Schema {
    root: Arc<Value>,
    definitions: Arc<Mutex<HashMap<String, Arc<Validator>>>>,
}

impl Schema {
    pub(crate) fn has(&self, definition: &str) -> bool {
        self.root[self.all()][definition].is_object()
    }

    /// The member that holds the definitions.
    fn all(&self) -> &'static str {
        let newer = self.root["$defs"].is_object();
        if newer { "$defs" } else { "definitions" }
    }

    /// Why `part` is not what `definition` says.
    pub(crate) fn judge(&self, definition: &str, part: &Value) -> Option<String> {
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
pub(crate) fn schema(revision: &str) -> Option<Schema> {
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
