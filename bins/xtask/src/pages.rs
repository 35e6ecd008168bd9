//! Pages that are made from the code: written by `generate`, compared by `test`.

use std::fs;

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::workshop::{Workshop, told};

/// Each page, and the example program that prints it: package and name.
const PAGES: &[(&str, &str, &str)] = &[
    ("docs/errors.md", "tooldock-engine", "errors"),
    ("docs/settings.md", "tooldock", "settings"),
];

/// Writes every page.
pub(crate) const GENERATE: Step = Step {
    name: "generate",
    shown: false,
    work: |shop| {
        for (page, package, example) in PAGES {
            let path = shop.root.join(page);
            fs::write(&path, print(shop, package, example)?).map_err(|error| told(&path, &error))?;
        }
        Ok(Verdict::Passed)
    },
};

/// Every page is what the code prints today.
pub(crate) const CURRENT: Step = Step {
    name: "pages",
    shown: false,
    work: |shop| {
        for (page, package, example) in PAGES {
            if shop.read(page)? != print(shop, package, example)? {
                return Err(format!(
                    "`{page}` is out of date: run `cargo xtask generate` and commit it"
                ));
            }
        }
        Ok(Verdict::Passed)
    },
};

/// The text of a page, with one line break at its end.
fn print(shop: &Workshop, package: &str, example: &str) -> Result<String, String> {
    let words = format!("run --quiet --package {package} --example {example}");
    Ok(Program::cargo(shop).words(&words).read()? + "\n")
}
