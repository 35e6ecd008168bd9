//! The checks of the Python side.

use std::path::PathBuf;

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::venv::Venv;
use crate::workshop::Workshop;

/// The runtime that workers run.
const RUNTIME: &str = "tooldock-worker/python";

/// Python files outside the runtime: what users copy and what tests start.
const LOOSE: &str =
    "examples tests/fixtures tests/clients/python tests/judges/python tests/secrets/python bins/bench";

/// The settings for those, as no project file lies above them.
const LOOSE_STYLE: &str = "--isolated --line-length 120 --target-version py311";

/// The virtual environments of the tests stand.
pub(crate) const ENVIRONMENTS: Step = Step {
    name: "environments",
    shown: false,
    work: |shop| {
        Venv::all(shop)
            .iter()
            .try_for_each(Venv::make)
            .map(|()| Verdict::Passed)
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
        libraries(shop)?
            .into_iter()
            .fold(pytest.folder(RUNTIME), |pytest, (name, python)| {
                pytest.set(name, python)
            })
            .show()
            .map(|()| Verdict::Passed)
    },
};

/// Interpreters that have the real library in each of its generations, by the name under which tests look for them.
pub(crate) fn libraries(shop: &Workshop) -> Result<[(&'static str, PathBuf); 3], String> {
    Ok([
        (
            "TOOLDOCK_TEST_FASTMCP_PYTHON",
            Venv::golden(shop).program("python")?,
        ),
        (
            "TOOLDOCK_TEST_FASTMCP3_PYTHON",
            Venv::fastmcp3(shop).program("python")?,
        ),
        (
            "TOOLDOCK_TEST_FASTMCP2_PYTHON",
            Venv::fastmcp2(shop).program("python")?,
        ),
    ])
}

fn ruff(shop: &Workshop) -> Result<Program<'_>, String> {
    Ok(Program::new(shop, Venv::runtime(shop).program("ruff")?))
}
