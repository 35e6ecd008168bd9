//! The task behind [`Reloader`](super::Reloader). It owns everything that changes, so there is no lock.

use std::{collections::BTreeMap, error::Error as _, sync::Arc};

use tokio::sync::mpsc;
use tooldock_engine::NamespaceName;

use super::{
    super::{Action, Candidate, NamespaceSource, Origin, Outcome, Registry, ReloadReport, Survey, plan},
    Request,
    builds::{Builds, Built},
    waiting::Waiting,
};

/// Keeps a registry equal to its source.
#[derive(Debug)]
pub(super) struct Reloading {
    registry: Arc<Registry>,
    source: Arc<dyn NamespaceSource>,
    builds: Builds,
    waiting: Vec<Waiting>,
}

impl Reloading {
    pub(super) fn new(registry: Arc<Registry>, source: Arc<dyn NamespaceSource>) -> Self {
        Self {
            registry,
            source,
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
                    let waiting = self.reload(together).await;
                    self.waiting.push(waiting);
                }
                Some(built) = self.builds.next() => self.settle(built),
            }
            self.answer();
        }
    }

    /// Looks at the source and begins what is to be done.
    async fn reload(&mut self, requests: Vec<Request>) -> Waiting {
        match self.source.survey().await {
            Ok(survey) => {
                let (report, open) = self.follow(survey);
                Waiting {
                    requests,
                    report,
                    open,
                }
            }
            Err(error) => {
                tracing::error!(%error, cause = ?error.source(), "the namespaces cannot be looked at");
                Waiting {
                    requests,
                    report: ReloadReport::unreadable(error.to_string()),
                    open: Vec::new(),
                }
            }
        }
    }

    /// Makes a plan, does what can be done at once, begins the rest; tells which namespaces are to be waited for.
    fn follow(&mut self, survey: Survey) -> (ReloadReport, Vec<NamespaceName>) {
        self.registry.reject(survey.rejected.clone());
        let by_name = |candidate: Arc<dyn Candidate>| (candidate.namespace().clone(), candidate);
        let candidates: BTreeMap<_, _> = survey.candidates.into_iter().map(by_name).collect();
        self.builds.retain(|name| candidates.contains_key(name));
        self.registry
            .forget_failures(|name| candidates.contains_key(name));
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
        let mut open = Vec::new();
        for step in &steps {
            let name = &step.namespace;
            match step.action {
                Action::Start | Action::Replace => {
                    self.builds.begin(&candidates[name]);
                    open.push(name.clone());
                }
                Action::Drop => self.registry.remove(name),
                // A newer version that was being started, or had failed, is history.
                Action::Keep => {
                    self.builds.stop(name);
                    self.registry.forget_failures(|failed| failed != name);
                }
                Action::Refuse => {}
            }
        }
        let namespaces = steps
            .into_iter()
            .map(|step| Outcome { step, error: None })
            .collect();
        (
            ReloadReport {
                ok: true,
                namespaces,
                rejected: survey.rejected,
                error: None,
            },
            open,
        )
    }

    /// Puts a new engine in place, or notes why there is none.
    fn settle(&mut self, built: Built) {
        let Built {
            namespace,
            fingerprint,
            result,
        } = built;
        let error = match result {
            Ok(started) => {
                tracing::info!(%namespace, "namespace is ready");
                self.registry
                    .put(&namespace, started, Origin::Source(fingerprint));
                None
            }
            Err(error) => {
                tracing::error!(%namespace, %error, cause = ?error.source(), "namespace cannot be started");
                self.registry.fail(&namespace, &error);
                Some(error.to_string())
            }
        };
        self.waiting
            .iter_mut()
            .for_each(|waiting| waiting.settle(&namespace, error.as_deref()));
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
