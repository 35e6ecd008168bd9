//! What `config.yaml` says about the sandbox of one namespace.

use std::path::PathBuf;

use serde::Deserialize;
use tooldock_worker::sandbox::{Sandbox, SandboxChanges};

use super::{
    CONFIG_FILE, Mistakes,
    sandbox::{MIB, is_inside},
};

/// What the operator says about the sandbox of one namespace, where it differs from the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NamespaceSandbox {
    /// `off`, `best-effort` or `strict`, as WORKER_SANDBOX.
    pub mode: Option<String>,
    /// Memory that one process may fill, in MiB: 64 to 1,048,576.
    pub memory_mb: Option<u64>,
    /// Whether system calls are closed that reach into other processes or deep into the kernel.
    pub filter_system_calls: Option<bool>,
    /// Absolute paths that it may read besides.
    pub read: Vec<PathBuf>,
    /// Absolute paths that it may read and write besides.
    pub write: Vec<PathBuf>,
}

impl NamespaceSandbox {
    pub(super) fn check(&self, name: &str, mistakes: &mut Mistakes) {
        let mut wrong = |what: &str| {
            mistakes.push(format!("{CONFIG_FILE}: `sandbox` of namespace `{name}`: {what}"));
        };
        if let Some(Err(error)) = self.mode.as_deref().map(str::parse::<Sandbox>) {
            wrong(&format!("`mode`: {error}"));
        }
        if self.memory_mb.is_some_and(|size| !(64..=1 << 20).contains(&size)) {
            wrong("`memory_mb` must be 64 to 1048576");
        }
        for path in self
            .read
            .iter()
            .chain(&self.write)
            .filter(|path| !is_inside(path))
        {
            let shown = path.to_string_lossy();
            wrong(&format!(
                "`{}` must be an absolute path, and not the root",
                shown.escape_debug()
            ));
        }
    }

    /// The same for those who start workers.
    #[must_use]
    pub fn changes(&self) -> SandboxChanges {
        let mut changes = SandboxChanges::default();
        // The file was checked when it was read.
        changes.mode = self.mode.as_deref().and_then(|mode| mode.parse().ok());
        changes.memory = self.memory_mb.map(|size| size * MIB);
        changes.filter_system_calls = self.filter_system_calls;
        changes.read.clone_from(&self.read);
        changes.write.clone_from(&self.write);
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigFile;

    #[test]
    fn s81_the_file_changes_the_sandbox_of_one_namespace() {
        let text = "namespaces: { a: { sandbox: { mode: 'off', memory_mb: 4096, filter_system_calls: false, read: [/srv/models] } } }\n";
        let file = ConfigFile::parse(text).unwrap();
        let changes = file.namespace(&"a".parse().unwrap()).sandbox.changes();
        assert_eq!(
            (changes.mode, changes.memory, changes.filter_system_calls),
            (Some(Sandbox::Off), Some(4 << 30), Some(false))
        );
        assert_eq!(changes.read, [PathBuf::from("/srv/models")]);
        assert_eq!(
            file.namespace(&"b".parse().unwrap()).sandbox.changes(),
            SandboxChanges::default()
        );
    }

    #[test]
    fn s81_what_is_wrong_in_it_is_named() {
        let text = "namespaces: { a: { sandbox: { mode: lax, memory_mb: 1, write: [/, here] } } }\n";
        let report = ConfigFile::parse(text).unwrap_err().to_string();
        for word in [
            "`mode`: it must be",
            "`memory_mb` must be",
            "`/` must be",
            "`here` must be",
        ] {
            assert!(report.contains(word), "{word} is missing in {report}");
        }
    }
}
