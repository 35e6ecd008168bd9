//! A folder of namespaces that a test writes.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A folder of namespaces that a test writes; removed when it is dropped.
#[derive(Debug)]
pub struct Tools(TempDir);

impl Tools {
    /// An empty folder.
    ///
    /// # Panics
    ///
    /// When it cannot be made.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "it makes a folder on disk")]
    pub fn new() -> Self {
        Self(TempDir::with_prefix("tools").expect("a temporary folder can be made"))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, replacing it in one step as editors do.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn write(&self, namespace: &str, file: &str, text: &str) {
        let folder = self.0.path().join(namespace);
        fs::create_dir_all(&folder).expect("a folder can be made");
        let aside = folder.join(format!(".{file}.new"));
        fs::write(&aside, text).expect("a file can be written");
        fs::rename(aside, folder.join(file)).expect("a file can be replaced");
    }
}
