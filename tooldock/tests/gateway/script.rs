//! A source of namespaces that a test scripts.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use tokio::sync::Semaphore;
use tooldock::{
    EngineError, ErrorKind, StaticEngine, Tool, ToolOutput,
    engine::{
        NamespaceName, Result,
        catalog::{Prompt, Resource},
        fixed::Address,
        output::{PromptOutput, ResourceOutput},
    },
    registry::{
        Candidate, Describe, LoadProblem, LogEntry, NamespaceSource, NamespaceState, Started, Survey, Tell,
        ToolPlace, Version as Found,
    },
};

/// What a namespace of the script is: its version, and whether it starts.
#[derive(Debug, Clone)]
pub(crate) enum Version {
    Works(&'static str),
    Fails(&'static str),
    /// Works, without its resource and its prompt, because their file no longer loads.
    Breaks(&'static str),
    /// Works, without its resource and its prompt.
    Drops(&'static str),
    /// Breaks the look at the source.
    Unreadable,
    /// Breaks the task that starts it.
    Panics,
    /// Starts once the script lets it.
    Waits(&'static str, Arc<Semaphore>),
}

#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) there: Mutex<BTreeMap<&'static str, Version>>,
    pub(crate) surveys: AtomicUsize,
    pub(crate) starts: Arc<AtomicUsize>,
    /// The policies of all namespaces.
    pub(crate) policies: Mutex<&'static str>,
    /// Which policies were put into effect.
    pub(crate) applied: Arc<Mutex<Vec<String>>>,
}

impl Version {
    fn content(&self) -> &'static str {
        match self {
            Self::Works(text)
            | Self::Fails(text)
            | Self::Breaks(text)
            | Self::Drops(text)
            | Self::Waits(text, _) => text,
            Self::Panics => "panics",
            Self::Unreadable => "unreadable",
        }
    }
}

impl Script {
    pub(crate) fn set(&self, name: &'static str, version: Version) {
        self.there.lock().unwrap().insert(name, version);
    }
}

#[async_trait]
impl NamespaceSource for Script {
    async fn survey(&self) -> Result<Survey> {
        self.surveys.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(10)).await;
        let there = self.there.lock().unwrap().clone();
        if there
            .values()
            .any(|version| matches!(version, Version::Unreadable))
        {
            panic!("on purpose");
        }
        let candidates = there.into_iter().map(|(name, version)| {
            Arc::new(Scripted {
                name: name.parse().unwrap(),
                found: Found {
                    content: version.content().to_owned(),
                    policies: self.policies.lock().unwrap().to_string(),
                },
                version,
                starts: self.starts.clone(),
                applied: self.applied.clone(),
            }) as Arc<dyn Candidate>
        });
        let mut survey = Survey::default();
        survey.candidates = candidates.collect();
        Ok(survey)
    }

    async fn roll_back(&self, namespace: &NamespaceName) -> Result<()> {
        let before = Version::Works("before");
        let mut there = self.there.lock().unwrap();
        let version = there.iter_mut().find(|(name, _)| **name == namespace.as_str());
        let none = || EngineError::new(ErrorKind::NamespaceUnknown, "there was none before");
        version.map(|(_, version)| *version = before).ok_or_else(none)
    }
}

#[derive(Debug)]
struct Scripted {
    name: NamespaceName,
    found: Found,
    version: Version,
    starts: Arc<AtomicUsize>,
    applied: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl Candidate for Scripted {
    fn namespace(&self) -> &NamespaceName {
        &self.name
    }
    fn version(&self) -> &Found {
        &self.found
    }
    async fn served(&self) {}
    fn apply_policies(&self) {
        self.applied.lock().unwrap().push(self.found.policies.clone());
    }
    async fn start(&self, tell: Tell<'_>) -> Result<Started> {
        tell("starting");
        self.starts.fetch_add(1, Ordering::SeqCst);
        let text = match &self.version {
            Version::Works(text) | Version::Breaks(text) | Version::Drops(text) => *text,
            Version::Fails(_) => {
                return Err(EngineError::new(
                    ErrorKind::Dependency,
                    "the package `nope` is not to be had",
                ));
            }
            Version::Panics | Version::Unreadable => panic!("on purpose"),
            Version::Waits(text, gate) => {
                gate.acquire().await.unwrap().forget();
                text
            }
        };
        let say = async move |_cx, _arguments| Ok(ToolOutput::text(text));
        let mut engine = StaticEngine::builder().tool(Tool::new("say".parse().unwrap()), say);
        if !matches!(self.version, Version::Breaks(_) | Version::Drops(_)) {
            engine = engine
                .resource(Resource::new("note://a", "a"), async |_cx, at: Address| {
                    Ok(ResourceOutput::text(&at.uri, "text/plain", "a note"))
                })
                .prompt(Prompt::new("hint"), async |_cx, _get| {
                    Ok(PromptOutput::user("hint"))
                });
        }
        let mut started = Started::plain(Arc::new(engine.build().unwrap()));
        if matches!(self.version, Version::Breaks(_)) {
            started.state = Arc::new(Broken);
        }
        Ok(started)
    }
}

/// The state of an engine one of whose files does not load.
#[derive(Debug)]
struct Broken;

impl Describe for Broken {
    fn describe(&self) -> NamespaceState {
        let mut problem = LoadProblem::default();
        problem.file = "notes.py".to_owned();
        problem.message = "it does not load".to_owned();
        let mut state = NamespaceState::default();
        state.errors = vec![problem];
        state
    }
    fn tools(&self) -> Vec<ToolPlace> {
        Vec::new()
    }
    fn log(&self, _lines: usize) -> Vec<LogEntry> {
        Vec::new()
    }
    fn retry(&self) {}
}
