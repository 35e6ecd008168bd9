//! What a worker says about itself, and what its supervisor says about it.

use std::{error::Error, fmt};

use serde::Deserialize;
use tokio::time::Instant;
use tooldock_engine::NamespaceName;

use crate::{
    output::{escape, keep_end, keep_start},
    process::Usage,
    sandbox::Isolation,
};

/// Bytes of an error's text that are shown, and of a traceback, of which the last ones are.
pub(crate) const MAX_TEXT: usize = 16 << 10;

/// Which Python serves a namespace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RuntimeInfo {
    /// Version of Python.
    pub python: String,
    /// `stand-in`, or the version of an installed fastmcp.
    pub fastmcp: String,
    /// What checks arguments: `pydantic` with its version, or `builtin`.
    pub validator: String,
    /// Whether its process has made its memory unreadable for other processes of the same user.
    pub unreadable_memory: bool,
}

/// Why a file or a tool could not be loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct LoadError {
    /// The file, by its name in the folder.
    pub file: String,
    /// The tool, when only one is concerned.
    pub tool: Option<String>,
    /// The line in the file.
    pub line: Option<u32>,
    /// The type of the exception.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// What is wrong; safe to show to callers.
    pub message: String,
    /// What to do about it; safe to show to callers.
    pub hint: Option<String>,
    /// The traceback, for the operator.
    pub traceback: Option<String>,
}

impl LoadError {
    /// With what is shown of long texts.
    pub(crate) fn shortened(mut self) -> Self {
        self.message = keep_start(self.message, MAX_TEXT);
        self.traceback = self.traceback.map(|traceback| keep_end(traceback, MAX_TEXT));
        self
    }
}

/// `message; hint`, both safe to show to callers.
impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

/// Where a tool comes from and how it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolSource {
    /// The tool.
    pub tool: String,
    /// Its file, by its name in the folder.
    pub file: String,
    /// The line of its function.
    pub line: Option<u32>,
    /// Whether it runs on a thread of the pool instead of the event loop.
    pub sync: bool,
}

/// What happened when a worker loaded its files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadReport {
    /// Which Python serves.
    pub runtime: RuntimeInfo,
    /// What could not be loaded; everything else is served.
    pub errors: Vec<LoadError>,
    /// Where the tools come from.
    pub sources: Vec<ToolSource>,
    /// Declared secrets that have no value.
    pub missing_secrets: Vec<String>,
    /// Those of them that somebody has prepared and nobody has filled in.
    pub waiting_secrets: Vec<String>,
    /// How its processes are confined.
    pub isolation: Isolation,
    /// Milliseconds the import took.
    pub load_ms: u64,
    /// What the namespace does right now: it serves while at least one of its processes does.
    pub state: WorkerState,
    /// What each of its processes does right now.
    pub processes: Vec<ProcessState>,
}

impl LoadReport {
    /// Tells the operator what could not be loaded, the tracebacks at level debug.
    pub(crate) fn log(&self, namespace: &NamespaceName) {
        for error in &self.errors {
            let (file, line, tool) = (error.file.as_str(), error.line, error.tool.as_deref());
            let what = escape(error.to_string().as_bytes());
            tracing::warn!(%namespace, file, line, tool, "cannot be loaded: {what}");
            for step in error.traceback.iter().flat_map(|traceback| traceback.lines()) {
                tracing::debug!(%namespace, file, "{}", escape(step.as_bytes()));
            }
        }
    }
}

/// What one process of a namespace does right now.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessState {
    /// Its process id, while there is a process that has loaded its files.
    pub pid: Option<u32>,
    /// What it does.
    pub state: WorkerState,
    /// How often it was started.
    pub starts: u64,
    /// Requests that it works on.
    pub open: usize,
    /// What it uses of the machine, where the system says so.
    pub usage: Option<Usage>,
}

/// What a worker does right now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorkerState {
    /// It answers calls.
    #[default]
    Serving,
    /// It is started: for the first time beside others that serve, or because it is called while it is asleep.
    Starting,
    /// It was ended because nobody has called; the next call starts it.
    Asleep,
    /// It ended and is started again.
    Restarting {
        /// How it ended.
        reason: String,
        /// When it is started.
        next: Instant,
    },
    /// It ended too often; only a trial is made now and then.
    Failed {
        /// How it ended the last time.
        reason: String,
        /// When the next trial is made.
        next: Instant,
    },
    /// It was shut down.
    Stopped,
}

impl WorkerState {
    /// The state in one word.
    #[must_use]
    pub fn label(&self) -> &'static str {
        match self {
            Self::Serving => "serving",
            Self::Starting => "starting",
            Self::Asleep => "asleep",
            Self::Restarting { .. } => "restarting",
            Self::Failed { .. } => "failed",
            Self::Stopped => "stopped",
        }
    }

    /// Why it does not answer calls.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Restarting { reason, .. } | Self::Failed { reason, .. } => Some(reason),
            Self::Asleep => {
                Some("nobody has called for a while (WORKER_IDLE_SECONDS); the next call starts it")
            }
            Self::Serving | Self::Starting | Self::Stopped => None,
        }
    }
}

/// Where in the files a tool failed: the [`source`](Error::source) of the error that its call got.
///
/// For operators only. It may hold anything that the tool holds, so callers are never shown it.
///
/// ```
/// use tooldock_engine::{EngineError, ErrorKind};
/// use tooldock_worker::report::ToolTraceback;
/// use std::error::Error;
///
/// let error = EngineError::new(ErrorKind::ToolFailed, "out of stock").with_source(ToolTraceback("Traceback …".to_owned()));
/// let traceback = error.source().and_then(|source| source.downcast_ref::<ToolTraceback>());
/// assert_eq!(traceback.map(|traceback| traceback.0.as_str()), Some("Traceback …"));
/// assert_eq!(error.to_string(), "out of stock");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolTraceback(pub String);

impl fmt::Display for ToolTraceback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ToolTraceback {}
