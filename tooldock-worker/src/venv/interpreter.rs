//! The Python that everything is built on.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tooldock_engine::{EngineError, ErrorKind, error::Result};

use super::step::Step;
use crate::process::{Environment, find_program};

/// The oldest Python that the runtime works with.
const OLDEST: (u32, u32) = (3, 10);
/// Tells who an interpreter really is: a version manager's shim and an environment's link name the real one.
const PROBE: &str = "
import importlib.metadata, json, os, sys, sysconfig
try:
    pip = importlib.metadata.version('pip')
except Exception:
    pip = None
program = getattr(sys, '_base_executable', None) or sys.executable
folders = [sys.base_prefix, sys.base_exec_prefix, os.path.dirname(os.path.realpath(program))]
folders += [sysconfig.get_path(name, vars={'installed_base': sys.base_prefix}) for name in ('stdlib', 'platstdlib')]
print(json.dumps({'program': program, 'folders': sorted(set(filter(None, folders))), 'version': list(sys.version_info[:3]),
    'platform': sysconfig.get_platform(), 'tag': sys.implementation.cache_tag or '', 'pip': pip}))";

/// A Python interpreter that environments are made from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Interpreter {
    /// The program itself, absolute; never a shim.
    pub program: PathBuf,
    version: (u32, u32, u32),
    platform: String,
    /// Names the form of its compiled files.
    pub tag: String,
    /// The folders that it lies in: its program, its libraries.
    pub folders: Vec<PathBuf>,
    /// The version of its pip, if it has one.
    pub pip: Option<String>,
}

impl Interpreter {
    /// The interpreter at `given`, a path or a name on the search path, or the first `python3` or `python` on the search path that is new enough.
    pub(crate) async fn find(given: Option<&Path>, environment: &Environment) -> Result<Self> {
        if let Some(given) = given {
            let by_name = given.to_str().filter(|name| !name.contains('/'));
            let found = by_name.and_then(|name| find_program(environment, name));
            return Self::probe(found.as_deref().unwrap_or(given), environment).await;
        }
        let mut refused = None;
        for name in ["python3", "python"] {
            let Some(program) = find_program(environment, name) else {
                continue;
            };
            match Self::probe(&program, environment).await {
                Ok(found) => return Ok(found),
                Err(error) => refused = Some(error),
            }
        }
        Err(refused.unwrap_or_else(|| {
            let folders: Vec<_> = environment.search_path().map(|folder| folder.display().to_string()).collect();
            let text = format!(
                "there is no `python3` on PATH, which is `{}`; install Python 3.10 or newer, or name one with the setting WORKER_PYTHON",
                folders.join(":")
            );
            EngineError::new(ErrorKind::Dependency, text)
        }))
    }

    async fn probe(program: &Path, environment: &Environment) -> Result<Self> {
        let refuse = |what: String| {
            let text = format!(
                "`{}` {what}; name a Python 3.10 or newer with the setting WORKER_PYTHON",
                program.display()
            );
            EngineError::new(ErrorKind::Dependency, text)
        };
        let step = Step::new(program)
            .args(["-I", "-c", PROBE])
            .envs(environment.for_worker());
        let told = step
            .run(super::PROBE_LIMIT)
            .await
            .map_err(|error| refuse(format!("does not run: {error}")))?;
        let found: Self = serde_json::from_str(told.trim())
            .map_err(|error| refuse("does not answer like Python".to_owned()).with_source(error))?;
        let (major, minor, _) = found.version;
        if (major, minor) < OLDEST {
            return Err(refuse(format!("is Python {major}.{minor}, which is too old")));
        }
        Ok(found)
    }

    /// Its version, such as `3.12.1`.
    pub(crate) fn version(&self) -> String {
        let (major, minor, patch) = self.version;
        format!("{major}.{minor}.{patch}")
    }

    /// Tells two interpreters apart whose environments must differ.
    pub(crate) fn identity(&self) -> String {
        let (major, minor, patch) = self.version;
        format!(
            "{} {major}.{minor}.{patch} {} {}",
            self.tag,
            self.platform,
            self.program.display()
        )
    }
}
