//! What a crate needs before it may be published: documentation, features that stand alone, a package that compiles.

use std::{
    env,
    fs::{self, DirEntry},
    path::PathBuf,
};

use crate::program::Program;
use crate::step::{Step, Verdict};
use crate::workshop::{Workshop, told};

/// The crates that are published, in the order in which they depend on each other.
const PUBLISHED: [&str; 6] = [
    "tooldock-engine",
    "tooldock-mcp",
    "tooldock-openapi",
    "tooldock-worker",
    "tooldock-secrets",
    "tooldock",
];

/// Every public item is documented, and enough of them with an example.
pub(crate) const COVERAGE: Step = Step {
    name: "coverage",
    shown: true,
    work: |shop| {
        Program::cargo(shop)
            .words("run --quiet --package xdoc -- coverage")
            .show()?;
        Ok(Verdict::Passed)
    },
};

/// Every feature of the published crates compiles alone and with each other one.
pub(crate) const FEATURES: Step = Step {
    name: "features",
    shown: true,
    work: |shop| {
        for package in PUBLISHED {
            let names = features(shop, package)?;
            let pairs = names
                .iter()
                .enumerate()
                .flat_map(|(at, one)| names[at + 1..].iter().map(move |other| format!("{one},{other}")));
            for chosen in names.iter().cloned().chain(pairs).chain([String::new()]) {
                let words = format!("check --quiet --package {package} --no-default-features --features");
                Program::cargo(shop).words(&words).word(&chosen).run()?;
                println!("    {package} [{chosen}]");
            }
        }
        Ok(Verdict::Passed)
    },
};

/// Every published crate packs, and what was packed compiles.
pub(crate) const PACKAGES: Step = Step {
    name: "packages",
    shown: false,
    work: |shop| {
        forget_packed()?;
        let packages = PUBLISHED.map(|package| format!("--package {package}")).join(" ");
        Program::cargo(shop)
            .words("package --quiet --allow-dirty")
            .words(&packages)
            .run()?;
        Ok(Verdict::Passed)
    },
};

/// Removes what an earlier run unpacked: cargo takes a package of the same version for the same package, and would compile
/// the new crates against it.
fn forget_packed() -> Result<(), String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let unpacked = home
        .ok_or("neither CARGO_HOME nor a home folder is known")?
        .join("registry/src");
    let registries = fs::read_dir(&unpacked).into_iter().flatten().flatten();
    // Registries that are folders have no host in their names; what starts with `tooldock` there was packed here.
    let folders = registries.filter(|registry| starts_with(registry, "-"));
    let packages = folders
        .filter_map(|registry| fs::read_dir(registry.path()).ok())
        .flatten()
        .flatten();
    for package in packages.filter(|package| starts_with(package, "tooldock")) {
        fs::remove_dir_all(package.path()).map_err(|error| told(&package.path(), &error))?;
    }
    Ok(())
}

fn starts_with(entry: &DirEntry, start: &str) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(start.as_bytes())
}

/// The features that the manifest of a crate in the folder of its name declares, but the default.
fn features(shop: &Workshop, package: &str) -> Result<Vec<String>, String> {
    let manifest = shop.read(&format!("{package}/Cargo.toml"))?;
    let section = manifest
        .split("\n[")
        .find(|section| section.starts_with("features]"));
    let names = section.unwrap_or_default().lines().skip(1).filter_map(|line| {
        let (name, _) = line.split_once(" = ")?;
        (!name.starts_with('#') && name != "default").then(|| name.to_owned())
    });
    Ok(names.collect())
}
