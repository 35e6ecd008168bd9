//! Where namespaces come from when they are not mounted in code.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use serde::Serialize;
use serde_json::Value;
use tooldock_engine::{NamespaceName, ToolEngine, error::Result};

/// A place that is looked through at each reload: a folder of Python files, a list of upstream servers.
#[async_trait]
pub trait NamespaceSource: fmt::Debug + Send + Sync + 'static {
    /// What is there now. Starts nothing.
    ///
    /// # Errors
    /// When the place cannot be read at all; everything that runs goes on.
    ///
    /// # Cancel safety
    /// Safe.
    async fn survey(&self) -> Result<Survey>;

    /// Brings `namespace` back to the version that [served](Candidate::served) before what is there now; the next look finds it.
    ///
    /// # Errors
    /// [`Unsupported`](tooldock_engine::ErrorKind::Unsupported) when no versions are kept, and
    /// [`NamespaceUnknown`](tooldock_engine::ErrorKind::NamespaceUnknown) when there is no earlier one.
    ///
    /// # Cancel safety
    /// Once begun, it is done.
    async fn roll_back(&self, namespace: &NamespaceName) -> Result<()>;
}

#[async_trait]
impl<S: NamespaceSource + ?Sized> NamespaceSource for Arc<S> {
    async fn survey(&self) -> Result<Survey> {
        (**self).survey().await
    }

    async fn roll_back(&self, namespace: &NamespaceName) -> Result<()> {
        (**self).roll_back(namespace).await
    }
}

/// What a [`NamespaceSource`] found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Survey {
    /// What can become a namespace.
    pub candidates: Vec<Arc<dyn Candidate>>,
    /// What cannot.
    pub rejected: Vec<Rejected>,
}

/// Something that cannot become a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rejected {
    /// What it is called.
    pub name: String,
    /// Why not, and what to do.
    pub reason: String,
}

/// What of a namespace is there, as two digests: equal as long as nothing about it has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Of all that its engine is made of. Another content needs another engine.
    pub content: String,
    /// Of the policies around its engine. Other policies need other layers around the same engine.
    pub policies: String,
}

/// Something that can become a namespace.
#[async_trait]
pub trait Candidate: fmt::Debug + Send + Sync + 'static {
    /// Its name.
    fn namespace(&self) -> &NamespaceName;

    /// What of it is there.
    fn version(&self) -> &Version;

    /// Makes its policies count for layers that are put around an engine from now on. Asked right before they are.
    fn apply_policies(&self);

    /// Starts an engine from it; what takes long is told as it happens.
    ///
    /// # Errors
    /// Why it cannot run, with what to do about it.
    ///
    /// # Cancel safety
    /// Dropping the future ends whatever was started.
    async fn start(&self, tell: Tell<'_>) -> Result<Started>;

    /// Told when its engine has taken its place.
    ///
    /// # Cancel safety
    /// Safe.
    async fn served(&self);
}

/// Where a start tells what it is doing, one line at a time.
pub type Tell<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// A running engine and the way to ask how it is.
#[derive(Debug, Clone)]
pub struct Started {
    /// The engine.
    pub engine: Arc<dyn ToolEngine>,
    /// How it is.
    pub state: Arc<dyn Describe>,
}

impl Started {
    /// An engine that says nothing about itself.
    pub fn plain(engine: Arc<dyn ToolEngine>) -> Self {
        Self {
            engine,
            state: Arc::new(Plain),
        }
    }
}

/// Tells operators how an engine is.
pub trait Describe: fmt::Debug + Send + Sync + 'static {
    /// How it is right now.
    fn describe(&self) -> NamespaceState;

    /// Where its tools come from.
    fn tools(&self) -> Vec<ToolPlace>;

    /// The last `lines` lines it wrote, the newest last.
    fn log(&self, lines: usize) -> Vec<LogEntry>;

    /// Tries at once what it would try later: asked at each reload that keeps the engine.
    fn retry(&self);
}

/// Where a tool comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolPlace {
    /// The tool.
    pub tool: String,
    /// Its file, by its name in the folder.
    pub file: String,
    /// The line of its function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// A line that a namespace wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogEntry {
    /// When: milliseconds since 1970.
    pub time: u64,
    /// Through which stream.
    pub stream: &'static str,
    /// The request whose call wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What.
    pub text: String,
}

#[derive(Debug)]
struct Plain;

impl Describe for Plain {
    fn tools(&self) -> Vec<ToolPlace> {
        Vec::new()
    }
    fn log(&self, _lines: usize) -> Vec<LogEntry> {
        Vec::new()
    }
    fn retry(&self) {}
    fn describe(&self) -> NamespaceState {
        NamespaceState {
            state: "serving",
            ..NamespaceState::default()
        }
    }
}

/// How a namespace is, for operators.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NamespaceState {
    /// In one word: `starting`, `serving`, `asleep`, `restarting`, `failed`, `stopped`.
    pub state: &'static str,
    /// Why it does not answer calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The process that serves it, the first one if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// All its processes, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pids: Vec<u32>,
    /// Its processes one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessLine>,
    /// Declared secrets that have no value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_secrets: Vec<String>,
    /// Those of them that are prepared and wait for one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub placeholder_secrets: Vec<String>,
    /// What could not be loaded; everything else is served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<LoadProblem>,
    /// How it is confined: what was asked for, what is enforced, and what of it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Value>,
    /// What runs it: interpreter, validator, packages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Value>,
}

/// A process of a namespace, for operators.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProcessLine {
    /// What it does, in the words of the namespace.
    pub state: &'static str,
    /// Why it does not answer calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its id, while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// How often it was started since its namespace was put in place.
    pub starts: u64,
    /// Requests that it works on.
    pub open: usize,
    /// Seconds of processor time that it has used since its start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor_seconds: Option<f64>,
    /// Bytes of memory that it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resident_bytes: Option<u64>,
}

/// A file or a tool that could not be loaded. Its texts are safe to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LoadProblem {
    /// The file, by its name in the folder.
    pub file: String,
    /// The tool, when only one is concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The line in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl NamespaceState {
    pub(super) fn of(state: &'static str) -> Self {
        Self {
            state,
            ..Self::default()
        }
    }
}
