//! New versions that lose tools because a file no longer loads: the last good version is better.

use std::collections::BTreeSet;

use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result};

use super::{LoadProblem, Registry, Started, ToolDiff, own_catalog};

impl Registry {
    /// Gives `started` back, unless tools that serve now are missing in it because their file could not be loaded.
    pub(super) async fn check_lost_tools(
        &self,
        namespace: &NamespaceName,
        started: Started,
    ) -> Result<Started> {
        let snapshot = self.snapshot();
        let Some((_, entry)) = snapshot.get(namespace) else {
            return Ok(started);
        };
        let (before, after) = (
            self.catalog(namespace).await,
            own_catalog(&*started.engine, namespace).await,
        );
        let lost: BTreeSet<String> = ToolDiff::between(&before, &after).removed.into_iter().collect();
        let places = entry
            .state()
            .tools()
            .into_iter()
            .filter(|place| lost.contains(&place.tool));
        let files: BTreeSet<String> = places.map(|place| place.file).collect();
        let problems = started.state.describe().errors;
        match problems.iter().find(|problem| files.contains(&problem.file)) {
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
