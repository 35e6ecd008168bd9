//! Changing the key.

use super::{Store, StoreError};

impl Store {
    /// Seals everything anew, under the current key with a new salt, in one step. The file may have been sealed with the current or
    /// the previous key. No copy under the old key is left.
    ///
    /// # Errors
    /// As [`Store::change`]; [`StoreError::NoKey`] when there is none.
    pub fn rekey(&self) -> Result<(), StoreError> {
        if !self.keys.has_key() {
            return Err(StoreError::NoKey);
        }
        self.change(|contents| {
            contents.sealer = None;
            Ok(())
        })
    }
}
