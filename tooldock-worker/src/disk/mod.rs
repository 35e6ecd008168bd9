//! Folders of tools as they lie on disk: which namespaces there are, and what each of them asks for.

mod digest;
mod folder;
mod inline;
mod manifest;
mod namespace;
mod packages;
mod reference;
mod requirements;
mod tree;
mod variable;
mod version;
mod yaml;

pub use self::{
    folder::{Rejected, Scan, ToolsFolder},
    manifest::{Manifest, ToolEntry},
    namespace::NamespaceFolder,
    packages::{Packages, Project},
    requirements::{Lock, RequirementError, Requirements},
    tree::{Folder, Kind},
    variable::{VariableError, check_variable},
    version::FolderVersion,
    yaml::{YamlError, read_yaml},
};
pub(crate) use self::{manifest::FILE as MANIFEST, reference::resolve};
