//! Virtual environments below `target/xtask`, and the checks of the Python side.

use std::path::PathBuf;

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::workshop::{Workshop, make_once};

/// Where the runtime's own tests find an interpreter that has the real `fastmcp`.
pub(crate) const FASTMCP_VARIABLE: &str = "TOOLDOCK_TEST_FASTMCP_PYTHON";

/// The runtime that workers run.
const RUNTIME: &str = "tooldock-worker/python";

/// Python files outside the runtime: what users copy and what tests start.
const LOOSE: &str = "examples tests/fixtures tests/clients/python";

/// The settings for those, as no project file lies above them.
const LOOSE_STYLE: &str = "--isolated --line-length 120 --target-version py311";

/// The virtual environments of the tests stand.
pub(crate) const ENVIRONMENTS: Step = Step {
    name: "environments",
    shown: false,
    work: |shop| {
        let needed = [
            Venv::tools(shop),
            Venv::client(shop),
            Venv::runtime(shop),
            Venv::golden(shop),
        ];
        needed.iter().try_for_each(Venv::make).map(|()| Verdict::Passed)
    },
};

/// Lints and formatting.
pub(crate) const LINT: Step = Step {
    name: "python-lint",
    shown: false,
    work: |shop| {
        for action in ["check", "format --check"] {
            ruff(shop)?.words(action).folder(RUNTIME).word(".").run()?;
            ruff(shop)?.words(action).words(LOOSE_STYLE).words(LOOSE).run()?;
        }
        Ok(Verdict::Passed)
    },
};

/// Types of the runtime.
pub(crate) const TYPES: Step = Step {
    name: "python-types",
    shown: false,
    work: |shop| {
        let mypy = Program::new(shop, Venv::runtime(shop).program("python")?)
            .words("-m mypy --strict tooldock_worker");
        mypy.folder(RUNTIME).run().map(|()| Verdict::Passed)
    },
};

/// The runtime's own tests.
pub(crate) const TESTS: Step = Step {
    name: "python-tests",
    shown: true,
    work: |shop| {
        let pytest = Program::new(shop, Venv::runtime(shop).program("python")?).words("-m pytest -q");
        let golden = Venv::golden(shop).program("python")?;
        pytest
            .folder(RUNTIME)
            .set(FASTMCP_VARIABLE, golden)
            .show()
            .map(|()| Verdict::Passed)
    },
};

fn ruff(shop: &Workshop) -> Result<Program<'_>, String> {
    Ok(Program::new(shop, Venv::runtime(shop).program("ruff")?))
}

/// A virtual environment with exactly what one file of requirements names.
#[derive(Debug)]
pub(crate) struct Venv<'a> {
    shop: &'a Workshop,
    folder: PathBuf,
    requirements: &'static str,
}

impl<'a> Venv<'a> {
    /// Linters, type checker and test runner of the runtime.
    pub(crate) fn runtime(shop: &'a Workshop) -> Self {
        Self::new(shop, "runtime", "tooldock-worker/python/requirements-dev.txt")
    }

    /// The real `fastmcp`, against which the runtime's schemas are compared.
    pub(crate) fn golden(shop: &'a Workshop) -> Self {
        Self::new(shop, "golden", "tooldock-worker/python/requirements-golden.txt")
    }

    /// The Python client of the interop tests.
    pub(crate) fn client(shop: &'a Workshop) -> Self {
        Self::new(shop, "client", "tests/clients/python/requirements.txt")
    }

    /// Cargo's helpers.
    pub(crate) fn tools(shop: &'a Workshop) -> Self {
        Self::new(shop, "tools", "bins/xtask/requirements.txt")
    }

    fn new(shop: &'a Workshop, name: &str, requirements: &'static str) -> Self {
        Self {
            shop,
            folder: shop.folder.join("venv").join(name),
            requirements,
        }
    }

    /// The path of a program of this environment, which is built first unless it stands.
    pub(crate) fn program(&self, name: &str) -> Result<PathBuf, String> {
        self.make()?;
        Ok(self.folder.join("bin").join(name))
    }

    /// Builds it, unless it stands already.
    fn make(&self) -> Result<(), String> {
        let python = interpreter(self.shop)?;
        let wanted = self.shop.read(self.requirements)?;
        make_once(&self.folder, &[&python, &wanted], || {
            Program::new(self.shop, &python)
                .words("-m venv")
                .word(&self.folder)
                .run()
                .map_err(|failure| {
                    format!(
                        "{failure}\nPython has to be able to make virtual environments (package python3-venv)"
                    )
                })?;
            let pip = Program::new(self.shop, self.folder.join("bin/python"))
                .words("-m pip install --quiet --disable-pip-version-check --no-input --requirement")
                .word(self.requirements);
            pip.run()
        })
    }
}

/// The real path of a Python that is new enough, whatever stands before it on the search path.
fn interpreter(shop: &Workshop) -> Result<String, String> {
    const PROBE: &str = "import sys; assert sys.version_info >= (3, 11), sys.version; print(sys.executable)";
    ["python3.11", "python3.12", "python3.13", "python3"]
        .into_iter()
        .find_map(|name| Program::new(shop, name).word("-c").word(PROBE).read().ok())
        .ok_or_else(|| "no Python 3.11 or newer on the search path: install one, with pip and venv".into())
}
