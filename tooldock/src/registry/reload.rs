//! Reloads: one task plans them, starts what is new beside the old, and exchanges each namespace as soon as it is ready.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use tokio::{
    sync::{mpsc, oneshot},
    task::{AbortHandle, JoinSet},
};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};

use super::{
    Action, Candidate, NamespaceSource, Origin, Outcome, Registry, ReloadReport, Started, Step, plan,
};

/// Reloads that may wait to be noticed. Those that wait share one scan, so this bounds callers, not work.
const WAITING: usize = 64;

type Request = oneshot::Sender<ReloadReport>;

/// Asks for reloads. Clones ask the same task; when the last is dropped the task ends.
#[derive(Debug, Clone)]
pub struct Reloader {
    requests: mpsc::Sender<Request>,
    _task: Arc<AbortOnDropHandle<()>>,
}

impl Reloader {
    /// Starts the task that keeps `registry` equal to `source`. It does nothing until it is asked.
    ///
    /// Must be called within a Tokio runtime.
    #[must_use]
    pub fn start(registry: Arc<Registry>, source: Arc<dyn NamespaceSource>) -> Self {
        let (requests, receiver) = mpsc::channel(WAITING);
        registry.set_loading(true);
        let task = Reloading {
            registry,
            source,
            builds: JoinSet::new(),
            building: HashMap::new(),
            waiting: Vec::new(),
        };
        let task = TaskTracker::new().spawn(task.run(receiver));
        Self {
            requests,
            _task: Arc::new(AbortOnDropHandle::new(task)),
        }
    }

    /// Looks at the source again and waits until everything that has changed is exchanged.
    ///
    /// Requests that come while a scan runs share the next one. A namespace that is being built for another request is waited
    /// for, not built twice; one whose files change meanwhile is built anew.
    ///
    /// # Errors
    /// [`Unavailable`](ErrorKind::Unavailable) when the gateway is shutting down.
    ///
    /// # Cancel safety
    /// Dropping the future does not stop the reload.
    pub async fn reload(&self) -> Result<ReloadReport> {
        let gone = || EngineError::new(ErrorKind::Unavailable, "the gateway is shutting down");
        let (request, report) = oneshot::channel();
        self.requests.send(request).await.map_err(|_| gone())?;
        report.await.map_err(|_| gone())
    }
}

/// The task behind [`Reloader`].
#[derive(Debug)]
struct Reloading {
    registry: Arc<Registry>,
    source: Arc<dyn NamespaceSource>,
    builds: JoinSet<Built>,
    building: HashMap<NamespaceName, Building>,
    waiting: Vec<Waiting>,
}

#[derive(Debug)]
struct Building {
    fingerprint: String,
    task: AbortHandle,
}

#[derive(Debug)]
struct Built {
    namespace: NamespaceName,
    fingerprint: String,
    result: Result<Started>,
}

/// Requests that are answered when their last namespace is settled.
#[derive(Debug)]
struct Waiting {
    requests: Vec<Request>,
    report: ReloadReport,
    open: Vec<NamespaceName>,
}

impl Reloading {
    async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        loop {
            tokio::select! {
                request = requests.recv() => {
                    let Some(request) = request else { return };
                    let mut together = vec![request];
                    while let Ok(request) = requests.try_recv() {
                        together.push(request);
                    }
                    self.reload(together).await;
                }
                Some(built) = self.builds.join_next() => match built {
                    Ok(built) => self.settle(built),
                    Err(error) if error.is_panic() => tracing::error!(%error, "starting a namespace panicked"),
                    Err(_) => {}
                },
            }
            self.answer();
        }
    }

    async fn reload(&mut self, requests: Vec<Request>) {
        let survey = match self.source.survey().await {
            Ok(survey) => survey,
            Err(error) => {
                tracing::error!(%error, cause = ?std::error::Error::source(&error), "the namespaces cannot be looked at");
                let report = ReloadReport::unreadable(error.to_string());
                self.waiting.push(Waiting {
                    requests,
                    report,
                    open: Vec::new(),
                });
                return;
            }
        };
        self.registry.reject(survey.rejected.clone());
        let candidates: BTreeMap<NamespaceName, Arc<dyn Candidate>> = survey
            .candidates
            .into_iter()
            .map(|candidate| (candidate.namespace().clone(), candidate))
            .collect();
        let snapshot = self.registry.snapshot();
        let live = snapshot
            .entries()
            .map(|(name, entry)| (name.clone(), entry.origin().clone()))
            .collect();
        let found = candidates
            .iter()
            .map(|(name, candidate)| (name.clone(), candidate.fingerprint()))
            .collect();
        self.building.retain(|name, building| {
            let wanted = candidates.contains_key(name);
            if !wanted {
                building.task.abort();
            }
            wanted
        });
        let steps = plan(&live, &found);
        let mut open = Vec::new();
        for step in &steps {
            let Ok(name) = step.namespace.parse::<NamespaceName>() else {
                continue;
            };
            match step.action {
                Action::Start | Action::Replace => {
                    self.build(&candidates[&name]);
                    open.push(name);
                }
                Action::Drop => self.registry.remove(&name),
                Action::Keep => self.keep(&name),
                Action::Refuse => {}
            }
        }
        let failed = snapshot
            .describe()
            .into_iter()
            .filter_map(|line| line.name.parse::<NamespaceName>().ok());
        for name in failed.filter(|name| !candidates.contains_key(name) && snapshot.get(name).is_none()) {
            self.registry.remove(&name);
        }
        let namespaces = steps
            .into_iter()
            .map(|step: Step| Outcome { step, error: None })
            .collect();
        let report = ReloadReport {
            ok: true,
            namespaces,
            rejected: survey.rejected,
            error: None,
        };
        self.waiting.push(Waiting {
            requests,
            report,
            open,
        });
    }

    /// The version that runs is the one that is there: a newer one that was being built, or had failed, is history.
    fn keep(&mut self, name: &NamespaceName) {
        if let Some(building) = self.building.remove(name) {
            building.task.abort();
        }
        self.registry.recover(name);
    }

    fn build(&mut self, candidate: &Arc<dyn Candidate>) {
        let (namespace, fingerprint) = (candidate.namespace().clone(), candidate.fingerprint().to_owned());
        if let Some(building) = self.building.get(&namespace) {
            if building.fingerprint == fingerprint {
                return;
            }
            building.task.abort();
        }
        let candidate = candidate.clone();
        let built = (namespace.clone(), fingerprint.clone());
        let task = self.builds.spawn(async move {
            let result = candidate.start().await;
            Built {
                namespace: built.0,
                fingerprint: built.1,
                result,
            }
        });
        self.building.insert(namespace, Building { fingerprint, task });
    }

    fn settle(&mut self, built: Built) {
        let Built {
            namespace,
            fingerprint,
            result,
        } = built;
        if self
            .building
            .get(&namespace)
            .is_none_or(|building| building.fingerprint != fingerprint)
        {
            return; // Its files have changed meanwhile; the engine ends with its drop.
        }
        self.building.remove(&namespace);
        let error = match result {
            Ok(started) => {
                tracing::info!(%namespace, "namespace is ready");
                self.registry
                    .put(&namespace, started, Origin::Source(fingerprint));
                None
            }
            Err(error) => {
                tracing::error!(%namespace, %error, cause = ?std::error::Error::source(&error), "namespace cannot be started");
                self.registry.fail(&namespace, &error);
                Some(error.to_string())
            }
        };
        for waiting in &mut self.waiting {
            waiting.settle(&namespace, error.as_deref());
        }
    }

    fn answer(&mut self) {
        // A build that panicked or was replaced is no longer running; nobody waits for it.
        let building = &self.building;
        self.waiting
            .iter_mut()
            .for_each(|waiting| waiting.open.retain(|name| building.contains_key(name)));
        let (settled, open): (Vec<_>, Vec<_>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|waiting| waiting.open.is_empty());
        self.waiting = open;
        if !settled.is_empty() {
            self.registry.set_loading(false);
        }
        settled.into_iter().for_each(Waiting::answer);
    }
}

impl Waiting {
    fn settle(&mut self, namespace: &NamespaceName, error: Option<&str>) {
        if !self.open.contains(namespace) {
            return;
        }
        self.open.retain(|name| name != namespace);
        self.report.ok &= error.is_none();
        for outcome in self
            .report
            .namespaces
            .iter_mut()
            .filter(|outcome| outcome.step.namespace == namespace.as_str())
        {
            outcome.error = error.map(str::to_owned);
        }
    }

    fn answer(self) {
        for request in self.requests {
            // Who asked may have gone.
            request.send(self.report.clone()).ok();
        }
    }
}
