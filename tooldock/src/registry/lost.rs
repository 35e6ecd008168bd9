//! New versions that lose something because a file no longer loads: the last good version is better.

use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};

use super::{CatalogDiff, LoadProblem, Registry, Started, own_catalog};

impl Registry {
    /// Gives `started` back, unless something that is served now is missing in it because its file could not be loaded.
    ///
    /// Of tools it is known which file they come from. Resources and prompts that are missing are laid to a file that has become broken.
    pub(super) fn check_lost(&self, namespace: &NamespaceName, started: Started) -> Result<Started> {
        let snapshot = self.snapshot();
        let Some((_, entry)) = snapshot.get(namespace) else {
            return Ok(started);
        };
        let (before, after) = (self.catalog(namespace), own_catalog(&*started.engine, namespace));
        let lost = CatalogDiff::between(&before, &after);
        let lost_other = !(lost.resources.removed.is_empty() && lost.prompts.removed.is_empty());
        let (places, old) = (entry.state().tools(), entry.state().describe().errors);
        let cost = |problem: &&LoadProblem| {
            let mut own = places.iter().filter(|place| place.file == problem.file);
            let broke = || !old.iter().any(|known| known.file == problem.file);
            own.any(|place| lost.tools.removed.contains(&place.tool)) || (lost_other && broke())
        };
        let problems = started.state.describe().errors;
        match problems.iter().find(cost) {
            Some(problem) => Err(EngineError::new(ErrorKind::Dependency, explain(problem))),
            None => Ok(started),
        }
    }
}

fn explain(problem: &LoadProblem) -> String {
    let LoadProblem {
        file,
        line,
        message,
        hint,
        ..
    } = problem;
    let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
    let hint = hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("{file}{line}: {message}{hint}; until it loads, the last good version goes on")
}
