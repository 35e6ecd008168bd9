//! Tools that a process could not load again.

use std::collections::BTreeMap;

use tooldock_engine::{EngineError, ErrorKind};

use super::{board::View, session::Loaded};
use crate::report::LoadError;

/// Tools that are published and that a process cannot run, each with what is wrong with its file.
#[derive(Debug, Default)]
pub(crate) struct Lost(BTreeMap<String, String>);

impl Lost {
    /// What `loaded` lacks of what `known` offers because a file does not load any more. What lacks for another reason was taken
    /// out by its author.
    pub(super) fn find(known: &View, loaded: &Loaded) -> Self {
        let missing = |tool: &str| loaded.catalog.tool(tool).is_none();
        let sources = known.report.sources.iter();
        let lost = sources
            .filter(|source| missing(&source.tool))
            .filter_map(|source| {
                let (tool, file) = (source.tool.as_str(), source.file.as_str());
                let of_file = |error: &&LoadError| {
                    // An error of a tool that is served does no harm to others.
                    error.file == file && error.tool.as_deref().is_none_or(missing)
                };
                let mut errors = loaded.report.errors.iter().filter(of_file);
                let own = errors.clone().find(|error| error.tool.as_deref() == Some(tool));
                let problem = own.or_else(|| errors.next())?;
                Some((tool.to_owned(), explain(tool, problem)))
            });
        Self(lost.collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn contains(&self, tool: &str) -> bool {
        self.0.contains_key(tool)
    }

    /// What a call of `tool` is told.
    pub(super) fn error(&self, tool: &str) -> Option<EngineError> {
        let why = self.0.get(tool)?;
        Some(EngineError::new(ErrorKind::Dependency, why.clone()))
    }
}

fn explain(tool: &str, problem: &LoadError) -> String {
    let file = &problem.file;
    let line = problem
        .line
        .map(|line| format!(", line {line}"))
        .unwrap_or_default();
    format!(
        "the tool `{tool}` could not be loaded again: {file}{line}: {problem}; correct the file and reload"
    )
}
