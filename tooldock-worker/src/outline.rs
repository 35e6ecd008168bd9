//! What a tool file will offer, told from its text.

use std::{fmt, path::Path, time::Duration};

use serde::Deserialize;

use crate::venv::Step;

/// How long the reading may take; its processor time is limited within.
const LIMIT: Duration = Duration::from_secs(10);
/// Bytes that it may tell.
const MOST: usize = 1 << 20;

/// What a tool file will offer, and what is wrong with it.
#[derive(Debug, Clone, Default, Deserialize)]
#[non_exhaustive]
pub struct Outline {
    /// The tools, in the order of the file.
    pub tools: Vec<OutlinedTool>,
    /// What has to be changed before the file should be loaded.
    pub problems: Vec<SourceProblem>,
}

/// A tool as it will be loaded.
#[derive(Debug, Clone, Deserialize)]
#[non_exhaustive]
pub struct OutlinedTool {
    /// Its name.
    pub name: String,
    /// What its docstring or its decorator says.
    pub description: Option<String>,
    /// The line on which it begins.
    pub line: u32,
    /// The schema of its arguments. Types that only the running file can tell are left open.
    pub input_schema: serde_json::Value,
}

/// Something wrong in the text of a file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct SourceProblem {
    /// Where, if it is at one place.
    pub line: Option<u32>,
    /// What.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

impl fmt::Display for SourceProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}; {}", self.problem, self.remedy)
    }
}

impl Outline {
    /// Has the runtime at `script` read `source` with a bare interpreter.
    pub(crate) async fn read(python: &Path, script: &Path, source: &str) -> Self {
        let step = Step::new(python)
            .args(["-I", "-S", "-B"])
            .args([script])
            .args(["outline"])
            .input(source.as_bytes().to_vec())
            .keep(MOST);
        let told = step.run(LIMIT).await.map_err(|error| error.to_string());
        let outline = told.and_then(|told| serde_json::from_str(&told).map_err(|error| error.to_string()));
        outline.unwrap_or_else(|error| {
            tracing::debug!(error, "a text has broken the parser");
            Self::broken()
        })
    }

    /// The outline of a text that no parser survives.
    fn broken() -> Self {
        let problem = SourceProblem {
            line: None,
            problem: "the parser of Python broke on it, or needed more than its limits of time and memory"
                .to_owned(),
            remedy: "write it more simply, without expressions nested deeply".to_owned(),
        };
        Self {
            tools: Vec::new(),
            problems: vec![problem],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    #[tokio::test]
    async fn s65_a_parser_that_dies_is_a_problem_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python");
        for script in [
            "kill -KILL $$",
            "kill -SEGV $$",
            "exit 3",
            "exit 0",
            "echo nonsense",
            "echo '[]'",
        ] {
            fs::write(&python, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
            let outline = Outline::read(&python, Path::new("x"), "x = 1").await;
            let problem = &outline.problems.first().expect(script).problem;
            assert!(
                problem.contains("the parser of Python broke on it"),
                "{script}: {problem}"
            );
        }
    }
}
