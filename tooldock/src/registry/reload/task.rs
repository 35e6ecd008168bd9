//! The task behind [`Reloader`](super::Reloader). It owns everything that changes, so there is no lock.

use std::{error::Error as _, sync::Arc};

use tokio::sync::{broadcast, mpsc};
use tokio_util::sync::CancellationToken;
use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};

use super::{
    super::{
        Action, Candidate, CatalogDiff, NamespaceSource, Origin, Registry, ReloadEvent, ReloadReport, Started,
    },
    Request,
    builds::{Builds, Built},
    planned::Planned,
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

    /// Works until nobody can ask any more, or it is told to stop.
    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<Request>, stop: CancellationToken) {
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
                Some(built) = self.builds.next() => self.settle(built).await,
                () = stop.cancelled() => return,
            }
            self.answer();
        }
    }

    /// Looks at the source once for all who ask, and begins what is to be done if one of them wants it done.
    async fn serve(&mut self, requests: Vec<Request>) {
        let (plans, reloads): (Vec<_>, Vec<_>) = requests.into_iter().partition(|request| request.dry_run);
        let planned = match Planned::look(&*self.source, &self.registry).await {
            Ok(planned) => planned,
            Err(error) => {
                tracing::error!(%error, cause = error.source().map(tracing::field::display), "the namespaces cannot be looked at");
                let report = ReloadReport::unreadable(error.to_string());
                let requests = plans.into_iter().chain(reloads).collect();
                self.waiting.push(Waiting::new(requests, report, Vec::new()));
                return;
            }
        };
        self.waiting
            .push(Waiting::new(plans, planned.report(true), Vec::new()));
        if !reloads.is_empty() {
            let open = self.follow(&planned);
            self.waiting
                .push(Waiting::new(reloads, planned.report(false), open));
            for step in planned.steps.iter().filter(|step| step.action == Action::Adjust) {
                self.adjust(&*planned.candidates[&step.namespace]).await;
            }
        }
    }

    /// Does what can be done at once, begins the rest; tells which namespaces are to be waited for.
    fn follow(&mut self, planned: &Planned) -> Vec<NamespaceName> {
        let candidates = &planned.candidates;
        self.registry.reject(planned.rejected.clone());
        self.builds.retain(|name| candidates.contains_key(name));
        self.registry.forget(|name| candidates.contains_key(name));
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
                    self.registry.forget(|other| other != name);
                    self.registry.retry(name);
                }
                Action::Adjust => {
                    self.builds.stop(name);
                    self.registry.retry(name);
                    open.push(name.clone());
                }
                Action::Refuse => self.builds.stop(name),
            }
        }
        open
    }

    /// Puts a new engine in place, or notes why there is none.
    async fn settle(&mut self, built: Built) {
        let Built { candidate, result } = built;
        let result = match result {
            Ok(started) => self.exchange(&*candidate, started).await,
            Err(error) => Err(error),
        };
        self.conclude(candidate.namespace().clone(), result);
    }

    /// Puts other layers around an engine that goes on.
    async fn adjust(&mut self, candidate: &dyn Candidate) {
        let namespace = candidate.namespace();
        let change = |origin| self.registry.adjust(namespace, origin);
        let lists = self.apply(candidate, change).await;
        tracing::info!(%namespace, changes = %lists, "namespace has other limits");
        self.conclude(namespace.clone(), Ok(lists));
    }

    /// Tells everybody what has become of a namespace.
    fn conclude(&mut self, namespace: NamespaceName, result: Result<CatalogDiff>) {
        let result = result.map_err(|error| {
            let cause = error.source().map(tracing::field::display);
            tracing::error!(%namespace, %error, cause, "the newest version does not serve");
            self.registry.fail(&namespace, &error);
            error.to_string()
        });
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

    async fn exchange(&self, candidate: &dyn Candidate, started: Started) -> Result<CatalogDiff> {
        let namespace = candidate.namespace();
        let started = self.registry.check_lost(namespace, started)?;
        if self
            .registry
            .snapshot()
            .get(namespace)
            .is_some_and(|(_, entry)| *entry.origin() == Origin::Code)
        {
            let text = "the program itself has mounted a namespace of this name meanwhile";
            return Err(EngineError::new(ErrorKind::Internal, text));
        }
        let change = |origin| self.registry.put(namespace, started, origin);
        let lists = self.apply(candidate, change).await;
        candidate.served().await;
        tracing::info!(%namespace, changes = %lists, "namespace is ready");
        Ok(lists)
    }

    /// Makes a change with the policies of `candidate` in force, and compares the lists before and after.
    async fn apply(&self, candidate: &dyn Candidate, change: impl FnOnce(Origin)) -> CatalogDiff {
        let namespace = candidate.namespace();
        let before = self.registry.catalog(namespace);
        candidate.apply_policies();
        change(Origin::Source(candidate.version().clone()));
        let after = self.registry.catalog(namespace);
        CatalogDiff::between(&before, &after)
    }

    /// Answers whoever waits for nothing more.
    fn answer(&mut self) {
        for waiting in &mut self.waiting {
            waiting.give_up(|name| !self.builds.is_running(name));
        }
        let (settled, open): (Vec<_>, Vec<_>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(Waiting::is_settled);
        self.waiting = open;
        if settled.iter().any(Waiting::is_reload) {
            self.registry.set_loading(false);
        }
        for waiting in settled {
            if let Some(ok) = waiting.verdict() {
                self.registry.reloads().count(ok);
            }
            waiting.answer();
        }
    }
}
