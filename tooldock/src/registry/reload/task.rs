//! The task behind [`Reloader`](super::Reloader). It owns everything that changes, so there is no lock.

use std::{collections::BTreeMap, error::Error as _, sync::Arc};

use tokio::sync::{broadcast, mpsc};
use tooldock_engine::{NamespaceName, error::Result};

use super::{
    super::{
        Action, Candidate, NamespaceSource, Origin, Outcome, Registry, Rejected, ReloadEvent, ReloadReport,
        Step, ToolDiff, plan,
    },
    Request,
    builds::{Builds, Built},
    waiting::Waiting,
};

/// Keeps a registry equal to its source.
#[derive(Debug)]
pub(super) struct Reloading {
    registry: Arc<Registry>,
    source: Arc<dyn NamespaceSource>,
    events: broadcast::Sender<ReloadEvent>,
    builds: Builds,
    waiting: Vec<Waiting>,
}

/// What is there, and what is to be done about it.
struct Planned {
    candidates: BTreeMap<NamespaceName, Arc<dyn Candidate>>,
    steps: Vec<Step>,
    rejected: Vec<Rejected>,
}

impl Planned {
    fn report(&self, dry_run: bool) -> ReloadReport {
        ReloadReport {
            ok: true,
            dry_run,
            namespaces: self.steps.iter().cloned().map(Outcome::planned).collect(),
            rejected: self.rejected.clone(),
            error: None,
        }
    }
}

impl Reloading {
    pub(super) fn new(
        registry: Arc<Registry>,
        source: Arc<dyn NamespaceSource>,
        events: broadcast::Sender<ReloadEvent>,
    ) -> Self {
        Self {
            registry,
            source,
            events,
            builds: Builds::default(),
            waiting: Vec::new(),
        }
    }

    /// Works until nobody can ask any more.
    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        loop {
            tokio::select! {
                request = requests.recv() => {
                    let Some(request) = request else { return };
                    let mut together = vec![request];
                    while let Ok(request) = requests.try_recv() {
                        together.push(request);
                    }
                    self.serve(together).await;
                }
                Some(built) = self.builds.next() => self.settle(built),
            }
            self.answer();
        }
    }

    /// Looks at the source once for all who ask, and begins what is to be done if one of them wants it done.
    async fn serve(&mut self, requests: Vec<Request>) {
        let (plans, reloads): (Vec<_>, Vec<_>) = requests.into_iter().partition(|request| request.dry_run);
        let planned = match self.plan().await {
            Ok(planned) => planned,
            Err(error) => {
                tracing::error!(%error, cause = error.source().map(tracing::field::display), "the namespaces cannot be looked at");
                let report = ReloadReport::unreadable(error.to_string());
                let requests = plans.into_iter().chain(reloads).collect();
                self.waiting.push(Waiting {
                    requests,
                    report,
                    open: Vec::new(),
                });
                return;
            }
        };
        self.waiting.push(Waiting {
            requests: plans,
            report: planned.report(true),
            open: Vec::new(),
        });
        if !reloads.is_empty() {
            let open = self.follow(&planned);
            self.waiting.push(Waiting {
                requests: reloads,
                report: planned.report(false),
                open,
            });
        }
    }

    async fn plan(&self) -> Result<Planned> {
        let survey = self.source.survey().await?;
        let by_name = |candidate: Arc<dyn Candidate>| (candidate.namespace().clone(), candidate);
        let candidates: BTreeMap<_, _> = survey.candidates.into_iter().map(by_name).collect();
        let snapshot = self.registry.snapshot();
        let live = snapshot
            .entries()
            .map(|(name, entry)| (name.clone(), entry.origin().clone()))
            .collect();
        let found = candidates
            .iter()
            .map(|(name, candidate)| (name.clone(), candidate.fingerprint()))
            .collect();
        let steps = plan(&live, &found);
        Ok(Planned {
            candidates,
            steps,
            rejected: survey.rejected,
        })
    }

    /// Does what can be done at once, begins the rest; tells which namespaces are to be waited for.
    fn follow(&mut self, planned: &Planned) -> Vec<NamespaceName> {
        let candidates = &planned.candidates;
        self.registry.reject(planned.rejected.clone());
        self.builds.retain(|name| candidates.contains_key(name));
        self.registry
            .forget_failures(|name| candidates.contains_key(name));
        let mut open = Vec::new();
        for step in &planned.steps {
            let name = &step.namespace;
            match step.action {
                Action::Start | Action::Replace => {
                    self.builds.begin(&candidates[name], &self.events);
                    self.registry.begin(name);
                    open.push(name.clone());
                }
                Action::Drop => {
                    tracing::info!(namespace = %name, "namespace is gone");
                    self.registry.remove(name);
                }
                Action::Keep => {
                    // A newer version that was being started, or had failed, is history.
                    self.builds.stop(name);
                    self.registry.forget_failures(|failed| failed != name);
                    self.registry.retry(name);
                }
                Action::Refuse => {}
            }
        }
        open
    }

    /// Puts a new engine in place, or notes why there is none.
    fn settle(&mut self, built: Built) {
        let Built {
            namespace,
            fingerprint,
            result,
        } = built;
        let result = match result.and_then(|started| self.registry.check_regression(&namespace, started)) {
            Ok(started) => {
                let before = self.registry.catalog(&namespace);
                self.registry
                    .put(&namespace, started, Origin::Source(fingerprint));
                let tools = ToolDiff::between(&before, &self.registry.catalog(&namespace));
                tracing::info!(%namespace, %tools, "namespace is ready");
                Ok(tools)
            }
            Err(error) => {
                let cause = error.source().map(tracing::field::display);
                tracing::error!(%namespace, %error, cause, "the newest version does not serve");
                self.registry.fail(&namespace, &error);
                Err(error.to_string())
            }
        };
        for waiting in &mut self.waiting {
            waiting.settle(&namespace, &result);
        }
        let event = match result {
            Ok(_) => ReloadEvent::Ready { namespace },
            Err(error) => ReloadEvent::Failed { namespace, error },
        };
        // Nobody needs to listen.
        self.events.send(event).ok();
    }

    /// Answers whoever waits for nothing more.
    fn answer(&mut self) {
        for waiting in &mut self.waiting {
            waiting.open.retain(|name| self.builds.is_running(name));
        }
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
