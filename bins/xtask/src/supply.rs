//! Licences, bans, sources and advisories of the dependency tree, by the rules of `deny.toml`.

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::venv::Venv;
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
    work: |shop| match deny(shop).map(|deny| deny.words("fetch db").run()) {
        Ok(Err(_)) => Ok(Verdict::NotRun(
            "the advisory database cannot be reached from here".into(),
        )),
        _ => judge(shop, "check --disable-fetch advisories"),
    },
};

fn judge(shop: &Workshop, words: &str) -> Result<Verdict, String> {
    match deny(shop) {
        Ok(deny) => deny.words(words).run().map(|()| Verdict::Passed),
        Err(reason) => Ok(Verdict::NotRun(format!(
            "cargo-deny could not be installed: {reason}"
        ))),
    }
}

/// The judge of the dependency tree, installed if need be.
fn deny(shop: &Workshop) -> Result<Program<'_>, String> {
    Ok(Program::new(shop, Venv::tools(shop).program("cargo-deny")?))
}
