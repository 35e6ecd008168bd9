//! The clients that run on Node: copied beside the packages they need, below `target/xtask`.

use std::fs;
use std::path::PathBuf;

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::workshop::{Workshop, make_once, told};

/// Where the clients lie in the repository.
const SOURCE: &str = "tests/clients/node";

/// What decides which packages are installed.
const MANIFESTS: [&str; 3] = [".npmrc", "package.json", "package-lock.json"];

/// The programs themselves.
const CLIENTS_FILES: [&str; 3] = ["report.mjs", "v1.mjs", "v2.mjs"];

/// The packages are installed and the programs lie beside them.
pub(crate) const CLIENTS: Step = Step {
    name: "clients",
    shown: false,
    work: |shop| {
        let read = |name| shop.read(&format!("{SOURCE}/{name}"));
        let inputs = MANIFESTS.map(read).into_iter().collect::<Result<Vec<_>, _>>()?;
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        make_once(&folder(shop), &inputs, || {
            copy(shop, &MANIFESTS)?;
            Program::new(shop, "npm")
                .words("ci --no-audit --no-fund")
                .folder(folder(shop))
                .run()
        })?;
        copy(shop, &CLIENTS_FILES).map(|()| Verdict::Passed)
    },
};

/// Where the programs are run from.
pub(crate) fn folder(shop: &Workshop) -> PathBuf {
    shop.folder.join("node")
}

fn copy(shop: &Workshop, names: &[&str]) -> Result<(), String> {
    names.iter().try_for_each(|name| {
        let from = shop.root.join(SOURCE).join(name);
        fs::copy(&from, folder(shop).join(name))
            .map(drop)
            .map_err(|error| told(&from, &error))
    })
}
