//! Writing, while nobody else does.

use std::fs::File;

use super::{Contents, META_FILE, SECRETS_FILE, Store, StoreError};
use crate::{
    atomic,
    envelope::{MAX_FILE_BYTES, Sealer},
    keys::Which,
    meta::Meta,
};

/// A store that nobody else writes to while this lives.
#[derive(Debug)]
pub struct Locked<'a> {
    pub(crate) store: &'a Store,
    pub(super) _lock: File,
}

impl Locked<'_> {
    /// As [`Store::read`]; nobody changes anything until this is dropped.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub fn read(&self) -> Result<Contents, StoreError> {
        self.store.read()
    }

    /// Writes everything under the next generation: first the values, then the names and states.
    ///
    /// # Errors
    /// When a name is refused by the rule, when the values are too many, or when a file cannot be written: then the old one is
    /// there, except for [`StoreError::Meta`], where the values are the new ones.
    pub fn write(&self, mut contents: Contents) -> Result<(), StoreError> {
        let store = self.store;
        for (_, name) in contents.payload.names() {
            (store.rule)(name.as_str()).map_err(StoreError::Name)?;
        }
        if !store.keys.has_key() && !store.keys.may_be_plain() {
            return Err(StoreError::NoKey);
        }
        // Under the previous key nothing is written any more.
        let kept = contents.sealer.filter(|_| contents.by != Some(Which::Previous));
        let sealer = kept
            .or_else(|| Sealer::fresh(&store.keys, store.kdf))
            .ok_or(StoreError::Random)?;
        contents.generation += 1;
        let payload = contents.payload.to_bytes();
        let envelope = sealer
            .seal(&store.keys, contents.generation, &payload)
            .ok_or(StoreError::Random)?;
        let bytes = envelope.to_bytes();
        if bytes.len() > MAX_FILE_BYTES {
            return Err(StoreError::TooMuch);
        }
        atomic::replace(&*store.disk, &store.path(SECRETS_FILE), &bytes)
            .map_err(|error| store.failed("replace", SECRETS_FILE, error))?;
        contents.meta.reconcile(&contents.payload, contents.generation);
        self.write_meta(&contents.meta)
            .map_err(|source| StoreError::Meta {
                path: store.path(META_FILE),
                source,
            })
    }

    /// Removes what a killed writer left, and makes the names and states true to the values. Says whether something was wrong.
    ///
    /// # Errors
    /// As [`Store::read`], and when a file cannot be written. A file of names that cannot be read is replaced.
    pub fn repair(&self) -> Result<bool, StoreError> {
        let store = self.store;
        self.remove_leftovers()?;
        let contents = self.read()?;
        let mut meta = contents.meta.clone();
        meta.reconcile(&contents.payload, contents.generation);
        let wrong = contents.meta_mistake.is_some() || meta != contents.meta;
        if wrong {
            self.write_meta(&meta)
                .map_err(|error| store.failed("replace", META_FILE, error))?;
        }
        Ok(wrong)
    }

    pub(super) fn write_meta(&self, meta: &Meta) -> std::io::Result<()> {
        atomic::replace(
            &*self.store.disk,
            &self.store.path(META_FILE),
            meta.to_text().as_bytes(),
        )
    }

    fn remove_leftovers(&self) -> Result<(), StoreError> {
        let store = self.store;
        [SECRETS_FILE, META_FILE].into_iter().try_for_each(|file| {
            let aside = atomic::aside(&store.path(file));
            store
                .disk
                .remove(&aside)
                .map_err(|error| store.failed("remove the leftover of", file, error))
        })
    }
}
