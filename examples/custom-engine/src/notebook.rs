//! An engine that learns: each note it takes becomes a tool.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast;
use tooldock::{
    CallContext, Catalog, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson, Tool, ToolEngine,
    ToolName, ToolOutput,
    engine::{Change, Changes, Result, fixed::unknown_tool, request::ResourceUri},
};

/// Notes it keeps at most.
const MOST: usize = 100;

/// An engine with one tool, `learn`, and one more for each note that was learned: it reads the note.
#[derive(Debug)]
pub struct Notebook {
    pages: Mutex<Pages>,
    changes: broadcast::Sender<Change>,
    closed: AtomicBool,
}

/// The notes, and the catalog that lists them: exchanged together, so that what is listed can be called.
#[derive(Debug)]
struct Pages {
    notes: BTreeMap<ToolName, String>,
    catalog: Arc<Catalog>,
}

/// The arguments of `learn`.
#[derive(Debug, Deserialize)]
struct Learn {
    name: String,
    text: String,
}

impl Notebook {
    /// An empty notebook.
    #[must_use]
    pub fn new() -> Self {
        let notes = BTreeMap::new();
        Self {
            pages: Mutex::new(Pages {
                catalog: list(&notes),
                notes,
            }),
            changes: broadcast::Sender::new(16),
            closed: AtomicBool::new(false),
        }
    }

    fn pages<T>(&self, look: impl FnOnce(&mut Pages) -> T) -> T {
        look(&mut self.pages.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn learn(&self, arguments: &RawJson) -> Result<ToolOutput> {
        let refuse = |text: String| EngineError::new(ErrorKind::InvalidArguments, text);
        let note: Learn = arguments.parse().map_err(|error| refuse(error.to_string()))?;
        let name: ToolName = note.name.parse()?;
        if name.as_str() == "learn" {
            return Err(refuse("`learn` is taken; choose another name".to_owned()));
        }
        self.pages(|pages| {
            if pages.notes.len() == MOST && !pages.notes.contains_key(&name) {
                return Err(refuse(format!("the notebook is full: it keeps {MOST} notes")));
            }
            pages.notes.insert(name, note.text);
            pages.catalog = list(&pages.notes);
            Ok(())
        })?;
        // Nobody who watches is no failure.
        self.changes.send(Change::Tools).ok();
        Ok(ToolOutput::text("noted"))
    }
}

impl Default for Notebook {
    fn default() -> Self {
        Self::new()
    }
}

/// The catalog of a notebook with these notes.
fn list(notes: &BTreeMap<ToolName, String>) -> Arc<Catalog> {
    let text = json!({"type": "string"});
    let mut learn = Tool::new("learn".parse().expect("a plain name"));
    learn.description = Some("Keeps a note, to be read by a tool of its name.".to_owned());
    learn.input_schema = RawJson::from(json!({
        "type": "object", "properties": {"name": text, "text": text}, "required": ["name", "text"],
    }));
    let tools = notes.keys().cloned().map(Tool::new);
    let catalog = tools.fold(Catalog::builder().tool(learn), |catalog, tool| catalog.tool(tool));
    Arc::new(
        catalog
            .build()
            .expect("a map names nothing twice, and `learn` is no note"),
    )
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Notebook {
    fn catalog(&self, _cx: &CallContext) -> Result<Arc<Catalog>> {
        Ok(self.pages(|pages| pages.catalog.clone()))
    }

    fn changes(&self, _cx: &CallContext, _watch: &[ResourceUri]) -> Changes {
        Changes::from_receiver(self.changes.subscribe())
    }

    async fn serve(&self, _cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(EngineError::new(ErrorKind::Unavailable, "the notebook is closed"));
        }
        let EngineRequest::CallTool(call) = request else {
            return Err(EngineError::new(
                ErrorKind::Unsupported,
                "a notebook has tools only",
            ));
        };
        if call.tool.as_str() == "learn" {
            return self.learn(&call.arguments).map(EngineReply::Tool);
        }
        self.pages(|pages| match pages.notes.get(&call.tool) {
            Some(text) => Ok(EngineReply::Tool(ToolOutput::text(text))),
            None => Err(unknown_tool(&pages.catalog, call.tool.as_str())),
        })
    }

    async fn shutdown(&self, _grace: Duration) {
        self.closed.store(true, Ordering::Relaxed);
    }
}
