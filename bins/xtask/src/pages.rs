//! Pages that are made from the code: written by `generate`, compared by `test`.

use std::fs;

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::workshop::{Workshop, told};

/// Each page, and what `cargo run` is told to print it.
const PAGES: &[(&str, &str)] = &[
    ("docs/errors.md", "--package tooldock-engine --example errors"),
    ("docs/settings.md", "--package tooldock --example settings"),
    ("docs/metrics.md", "--package tooldock --example metrics"),
    (
        "docs/manager-tools.md",
        "--package tooldock --features analysis --example manager-tools",
    ),
    (
        "docs/api/tooldock-engine.txt",
        "--package xdoc -- api tooldock-engine",
    ),
    ("docs/api/tooldock-mcp.txt", "--package xdoc -- api tooldock-mcp"),
    (
        "docs/api/tooldock-openapi.txt",
        "--package xdoc -- api tooldock-openapi",
    ),
    (
        "docs/api/tooldock-worker.txt",
        "--package xdoc -- api tooldock-worker",
    ),
    (
        "docs/api/tooldock-secrets.txt",
        "--package xdoc -- api tooldock-secrets",
    ),
    ("docs/api/tooldock.txt", "--package xdoc -- api tooldock"),
];

/// Writes every page.
pub(crate) const GENERATE: Step = Step {
    name: "generate",
    shown: false,
    work: |shop| {
        for (page, printer) in PAGES {
            let path = shop.root.join(page);
            fs::write(&path, print(shop, printer)?).map_err(|error| told(&path, &error))?;
        }
        Ok(Verdict::Passed)
    },
};

/// Every page is what the code prints today.
pub(crate) const CURRENT: Step = Step {
    name: "pages",
    shown: false,
    work: |shop| {
        for (page, printer) in PAGES {
            if shop.read(page)? != print(shop, printer)? {
                return Err(format!(
                    "`{page}` is out of date: run `cargo xtask generate` and commit it"
                ));
            }
        }
        Ok(Verdict::Passed)
    },
};

/// The text of a page, with one line break at its end.
fn print(shop: &Workshop, printer: &str) -> Result<String, String> {
    let program = Program::cargo(shop).words("run --quiet").words(printer);
    Ok(program.read()? + "\n")
}
