//! The folder of one namespace as it is right now.

use std::path::PathBuf;

use tooldock_engine::NamespaceName;

use super::{
    digest::digest,
    folder::may_be_tool,
    inline,
    manifest::{self, Manifest},
    packages::Packages,
    requirements::Requirements,
    tree::{Folder, Kind},
    yaml,
};

/// The folder of one namespace as it is right now.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NamespaceFolder {
    /// Its name.
    pub name: NamespaceName,
    /// Where it lies, absolute.
    pub dir: PathBuf,
    /// What `tooldock.yaml` says.
    pub manifest: Manifest,
    /// What it asks of the package index.
    pub packages: Packages,
    /// SHA-256 of the contents that matter: Python files at any depth, what names packages, manifest.
    pub digest: String,
    /// Why it cannot be started, and what to do. It stops this namespace only.
    pub problem: Option<String>,
}

impl NamespaceFolder {
    /// Reads what `folder`, which lies at `dir`, holds as the namespace `name`. It blocks.
    #[must_use]
    pub fn read(name: NamespaceName, dir: PathBuf, folder: &Folder) -> Self {
        let mut problems = Vec::new();
        let manifest = match folder.text(manifest::FILE, yaml::MAX_BYTES as u64) {
            Ok(text) => text.unwrap_or_default().parse().unwrap_or_else(|error| {
                problems.push(format!("`{}`: {error}", manifest::FILE));
                Manifest::default()
            }),
            Err(error) => {
                problems.push(error.to_string());
                Manifest::default()
            }
        };
        let mut asked = Requirements::default();
        let mut seen = |path: &str, bytes: &[u8]| {
            let tool = !path.contains('/') && may_be_tool(path, Kind::File);
            // The runtime reports what is no UTF-8.
            let source = tool.then(|| std::str::from_utf8(bytes).unwrap_or_default());
            match source.map_or(Ok(Requirements::default()), inline::read) {
                Ok(packages) => asked.join(packages),
                Err(error) => problems.push(format!("`{path}`: {error}")),
            }
        };
        let digest = digest(folder, &mut seen);
        let packages = Packages::read(folder, asked).unwrap_or_else(|error| {
            problems.push(error);
            Packages::default()
        });
        let digest = digest.unwrap_or_else(|error| {
            problems.push(error.to_string());
            String::new()
        });
        problems.dedup();
        let problem = (!problems.is_empty()).then(|| problems.join("; "));
        Self {
            name,
            dir,
            manifest,
            packages,
            digest,
            problem,
        }
    }
}
