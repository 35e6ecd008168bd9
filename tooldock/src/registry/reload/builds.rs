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
    candidate: Arc<dyn Candidate>,
    task: AbortHandle,
}

/// A start that is over.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) candidate: Arc<dyn Candidate>,
    pub(super) result: Result<Started>,
}

impl Builds {
    /// Starts `candidate`, unless just this is being started; another version of it is stopped.
    pub(super) fn begin(&mut self, candidate: &Arc<dyn Candidate>, events: &broadcast::Sender<ReloadEvent>) {
        let namespace = candidate.namespace();
        if self
            .running
            .get(namespace)
            .is_some_and(|running| running.candidate.version() == candidate.version())
        {
            return;
        }
        self.stop(namespace);
        let (starting, events, about) = (candidate.clone(), events.clone(), namespace.clone());
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
            starting.start(&tell).await
        });
        let candidate = candidate.clone();
        self.running
            .insert(candidate.namespace().clone(), Running { candidate, task });
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
                let candidate = self.running.remove(&namespace)?.candidate;
                return Some(Built { candidate, result });
            }
        }
    }
}
