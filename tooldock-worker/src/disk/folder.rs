//! Finding namespaces in a folder.

use std::{
    io,
    path::{Path, PathBuf},
};

use tooldock_engine::NamespaceName;

use super::{
    namespace::NamespaceFolder,
    tree::{Folder, Kind},
};
use crate::absolute;

/// Namespaces that one folder may hold.
const MAX_NAMESPACES: usize = 1000;

/// A folder in which namespaces lie.
#[derive(Debug, Clone)]
pub struct ToolsFolder {
    root: PathBuf,
    /// The name, when the folder is itself the one namespace.
    itself: Option<NamespaceName>,
}

/// What [`ToolsFolder::scan`] found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Scan {
    /// The namespaces, sorted by name.
    pub namespaces: Vec<NamespaceFolder>,
    /// What looks like a namespace and is none.
    pub rejected: Vec<Rejected>,
}

/// Something in a tools folder that cannot be served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// Its name in the folder.
    pub name: String,
    /// What is wrong with it and what to do.
    pub why: String,
}

impl ToolsFolder {
    /// A folder of which each subfolder is a namespace. A relative path counts from the folder that is current now.
    #[must_use]
    pub fn subfolders(root: impl Into<PathBuf>) -> Self {
        Self {
            root: absolute(root.into()),
            itself: None,
        }
    }

    /// A folder that somebody works in. Where subfolders hold tool files, each of them is a namespace, and loose tool files are
    /// rejected; a folder without such subfolders that holds tool files is one namespace, named after itself. Packages of Python
    /// (with an `__init__.py`) beside tool files are parts of them.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn dev(folder: impl AsRef<Path>) -> io::Result<Self> {
        let root = folder.as_ref().canonicalize()?;
        let open = Folder::open(&root)?;
        let entries = open.entries()?;
        let loose = entries.iter().any(|(name, kind)| is_tool_file(name, *kind));
        let is_one = loose && !entries.iter().any(|(name, kind)| has_tools(&open, name, *kind));
        let name = root.file_name().map(|name| slug(&name.to_string_lossy()));
        let itself = name
            .filter(|_| is_one)
            .map(|name| name.parse().or_else(|_| "local".parse()));
        Ok(Self {
            itself: itself.transpose().map_err(io::Error::other)?,
            root,
        })
    }

    /// The folder, absolute.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads the folder. It blocks: call it where blocking is allowed.
    ///
    /// # Errors
    /// When the folder itself cannot be read; whatever is wrong inside is part of the answer.
    pub fn scan(&self) -> io::Result<Scan> {
        let root = Folder::open(&self.root)?;
        let dir = self.root.canonicalize()?;
        if let Some(name) = &self.itself {
            let namespaces = vec![NamespaceFolder::read(name.clone(), dir, &root)];
            return Ok(Scan {
                namespaces,
                rejected: Vec::new(),
            });
        }
        let mut scan = Scan::default();
        for (name, kind) in root.entries()? {
            if is_hidden(&name) {
                continue;
            }
            match found(&root, &dir, &name, kind) {
                Ok(Some(_)) if scan.namespaces.len() >= MAX_NAMESPACES => {
                    let why = format!(
                        "there are more than {MAX_NAMESPACES} namespaces, the most one folder may hold"
                    );
                    scan.rejected.push(Rejected { name, why });
                }
                Ok(namespace) => scan.namespaces.extend(namespace),
                Err(why) => scan.rejected.push(Rejected { name, why }),
            }
        }
        Ok(scan)
    }
}

/// The namespace that an entry is, if it is one.
fn found(root: &Folder, dir: &Path, name: &str, kind: Kind) -> Result<Option<NamespaceFolder>, String> {
    match kind {
        Kind::File if is_tool_file(name, kind) => {
            Err("a tool file must lie in a subfolder, which is its namespace; move it into one".to_owned())
        }
        Kind::File => Ok(None),
        Kind::Other => {
            Err("is a link, a pipe or something else that is no folder; put a real folder there".to_owned())
        }
        Kind::Folder => {
            let namespace: NamespaceName = name
                .parse()
                .map_err(|error| format!("{error}; rename the folder"))?;
            let inside = root
                .folder(name)
                .map_err(|error| format!("cannot be read: {error}"))?;
            let entries = inside
                .entries()
                .map_err(|error| format!("cannot be read: {error}"))?;
            if !entries.iter().any(|(name, kind)| may_be_tool(name, *kind)) {
                return Err("holds no tool file; put a `.py` file into it".to_owned());
            }
            Ok(Some(NamespaceFolder::read(namespace, dir.join(name), &inside)))
        }
    }
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name == "__pycache__"
}

/// Whether an entry is a folder of tool files that is no package of Python.
fn has_tools(root: &Folder, name: &str, kind: Kind) -> bool {
    if kind != Kind::Folder || is_hidden(name) {
        return false;
    }
    // What cannot be read holds nothing.
    let entries = root.folder(name).and_then(|inside| inside.entries());
    let entries = entries.unwrap_or_default();
    entries.iter().all(|(name, _)| name != "__init__.py")
        && entries.iter().any(|(name, kind)| is_tool_file(name, *kind))
}

fn is_tool_file(name: &str, kind: Kind) -> bool {
    kind == Kind::File && may_be_tool(name, kind)
}

/// Whether the runtime would load it.
pub(super) fn may_be_tool(name: &str, kind: Kind) -> bool {
    kind != Kind::Folder && name.ends_with(".py") && !name.starts_with(['_', '.'])
}

/// A folder's name with everything that cannot be in a namespace's name replaced.
fn slug(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let text: String = name.chars().take(63).map(plain).collect();
    text.trim_matches(['-', '_']).to_owned()
}
