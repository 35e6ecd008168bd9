//! Names that wait for a value. That takes no key, so that a program which must not know any value can do it.

use super::{META_FILE, Store, StoreError};
use crate::{meta::Mark, name::SecretName, scope::Scope};

impl Store {
    /// Lets a name wait for a value, unless it has one. Needs no key.
    ///
    /// # Errors
    /// When the rule refuses the name, another writer does not end, or the file of names and states cannot be read or written; it
    /// is then left as it is.
    pub fn prepare(&self, scope: Scope, name: SecretName) -> Result<(), StoreError> {
        (self.rule)(name.as_str()).map_err(StoreError::Name)?;
        let locked = self.lock()?;
        let mistake = |error: crate::meta::MetaError| {
            self.failed(
                "read",
                META_FILE,
                std::io::Error::new(std::io::ErrorKind::InvalidData, error),
            )
        };
        let mut meta = self.read_meta()?.map_err(mistake)?;
        meta.marks.entry((scope, name)).or_insert(Mark::Placeholder);
        locked
            .write_meta(&meta)
            .map_err(|error| self.failed("replace", META_FILE, error))
    }
}
