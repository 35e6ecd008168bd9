//! A look at the source, and what is to be done about it.

use std::{collections::BTreeMap, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt as _;
use tokio::time::timeout;
use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};

use super::super::{Candidate, NamespaceSource, Outcome, Registry, Rejected, ReloadReport, Step, plan};

/// How long a look at the source may take.
const SURVEY: Duration = Duration::from_secs(60);

/// What is there, and what is to be done about it.
pub(super) struct Planned {
    pub(super) candidates: BTreeMap<NamespaceName, Arc<dyn Candidate>>,
    pub(super) steps: Vec<Step>,
    pub(super) rejected: Vec<Rejected>,
}

impl Planned {
    /// Looks at the source and compares it with what runs. Touches nothing.
    pub(super) async fn look(source: &dyn NamespaceSource, registry: &Registry) -> Result<Self> {
        let broke = |text: &'static str| EngineError::new(ErrorKind::Internal, text);
        let survey = AssertUnwindSafe(source.survey()).catch_unwind();
        let survey = timeout(SURVEY, survey)
            .await
            .map_err(|_| broke("looking at the source took more than a minute"))?;
        let survey = survey.map_err(|_| broke("looking at the source broke; the log tells more"))??;
        let by_name = |candidate: Arc<dyn Candidate>| (candidate.namespace().clone(), candidate);
        let candidates: BTreeMap<_, _> = survey.candidates.into_iter().map(by_name).collect();
        let snapshot = registry.snapshot();
        let live = snapshot
            .entries()
            .map(|(name, entry)| (name.clone(), entry.origin().clone()))
            .collect();
        let found = candidates
            .iter()
            .map(|(name, candidate)| (name.clone(), candidate.version()))
            .collect();
        let steps = plan(&live, &found);
        Ok(Self {
            candidates,
            steps,
            rejected: survey.rejected,
        })
    }

    pub(super) fn report(&self, dry_run: bool) -> ReloadReport {
        ReloadReport {
            ok: true,
            dry_run,
            namespaces: self.steps.iter().cloned().map(Outcome::planned).collect(),
            rejected: self.rejected.clone(),
            error: None,
        }
    }
}
