//! Namespaces that are being started.

use std::{collections::HashMap, sync::Arc};

use tokio::{
    sync::broadcast,
    task::{AbortHandle, JoinSet},
};
use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};

use super::super::{Candidate, ReloadEvent, Started};

/// Namespaces that are being started, one task each. Dropping it ends them all.
#[derive(Debug, Default)]
pub(super) struct Builds {
    tasks: JoinSet<Result<Started>>,
    running: HashMap<NamespaceName, Running>,
}

#[derive(Debug)]
struct Running {
    fingerprint: String,
    task: AbortHandle,
}

/// A start that is over.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) namespace: NamespaceName,
    pub(super) fingerprint: String,
    pub(super) result: Result<Started>,
}

impl Builds {
    /// Starts `candidate`, unless just this is being started; another version of it is stopped.
    pub(super) fn begin(&mut self, candidate: &Arc<dyn Candidate>, events: &broadcast::Sender<ReloadEvent>) {
        let (namespace, fingerprint) = (candidate.namespace(), candidate.fingerprint());
        if self
            .running
            .get(namespace)
            .is_some_and(|running| running.fingerprint == fingerprint)
        {
            return;
        }
        self.stop(namespace);
        let (namespace, fingerprint) = (namespace.clone(), fingerprint.to_owned());
        let (candidate, events, about) = (candidate.clone(), events.clone(), namespace.clone());
        let task = self.tasks.spawn(async move {
            let tell = |text: &str| {
                // Nobody needs to listen.
                events
                    .send(ReloadEvent::Progress {
                        namespace: about.clone(),
                        text: text.to_owned(),
                    })
                    .ok();
            };
            candidate.start(&tell).await
        });
        self.running.insert(namespace, Running { fingerprint, task });
    }

    /// Stops whatever is being started under this name.
    pub(super) fn stop(&mut self, namespace: &NamespaceName) {
        if let Some(running) = self.running.remove(namespace) {
            running.task.abort();
        }
    }

    /// Stops everything that is not `wanted`.
    pub(super) fn retain(&mut self, wanted: impl Fn(&NamespaceName) -> bool) {
        self.running.retain(|namespace, running| {
            let wanted = wanted(namespace);
            if !wanted {
                running.task.abort();
            }
            wanted
        });
    }

    pub(super) fn is_running(&self, namespace: &NamespaceName) -> bool {
        self.running.contains_key(namespace)
    }

    /// The next start that is over and was not stopped; `None` when nothing is being started.
    ///
    /// # Cancel safety
    /// Safe.
    pub(super) async fn next(&mut self) -> Option<Built> {
        loop {
            let (id, result) = match self.tasks.join_next_with_id().await? {
                Ok((id, result)) => (id, result),
                Err(error) => {
                    let text = "starting the namespace broke; the log tells more";
                    (
                        error.id(),
                        Err(EngineError::new(ErrorKind::Internal, text).with_source(error)),
                    )
                }
            };
            // What was stopped is no longer in the map, and its engine ends with its drop.
            let namespace = self.running.iter().find(|(_, running)| running.task.id() == id);
            if let Some(namespace) = namespace.map(|(namespace, _)| namespace.clone()) {
                let fingerprint = self.running.remove(&namespace)?.fingerprint;
                return Some(Built {
                    namespace,
                    fingerprint,
                    result,
                });
            }
        }
    }
}
