//! Folders of tools as they lie on disk: which namespaces there are, and what each of them asks for.

mod digest;
mod folder;
mod manifest;
mod requirements;
mod tree;
mod variable;
mod yaml;

pub use self::{
    folder::{NamespaceFolder, Rejected, Scan, ToolsFolder},
    manifest::Manifest,
    requirements::{RequirementError, Requirements},
    variable::{VariableError, check_variable},
    yaml::{YamlError, read_yaml},
};
