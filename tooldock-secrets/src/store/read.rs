//! Reading, which needs no lock: each file is replaced as a whole.

use super::{Contents, META_FILE, SECRETS_FILE, Store, StoreError};
use crate::{
    envelope::{Envelope, EnvelopeError, MAX_FILE_BYTES, Sealer},
    meta::{Meta, MetaError},
    payload::Payload,
};

/// Bytes the file of names may have: a hundred for each of the most names that fit into the other file.
const MAX_META_BYTES: usize = 1 << 20;

impl Store {
    /// Reads everything. Without a file of values there are none. A file of names that cannot be read counts as empty and is
    /// reported by [`Contents::meta_mistake`].
    ///
    /// The first time it derives the key, which takes about half a second; later it takes well under 5 ms.
    ///
    /// # Errors
    /// When the file of values cannot be read or opened. It is left as it is.
    pub fn read(&self) -> Result<Contents, StoreError> {
        // Names first: they can then be older than the values, but never newer, and older ones are brought up to date.
        let (meta, meta_mistake) = match self.read_meta()? {
            Ok(meta) => (meta, None),
            Err(mistake) => (Meta::default(), Some(mistake)),
        };
        let path = self.path(SECRETS_FILE);
        let bytes = match self.disk.read(&path, MAX_FILE_BYTES) {
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                return Err(StoreError::Envelope {
                    path,
                    source: EnvelopeError::TooLarge,
                });
            }
            bytes => bytes.map_err(|error| self.failed("read", SECRETS_FILE, error))?,
        };
        let mut contents = Contents {
            payload: Payload::default(),
            meta,
            generation: 0,
            sealer: None,
            by: None,
            meta_mistake,
        };
        let Some(bytes) = bytes else {
            return Ok(contents);
        };
        let mut open = || {
            let envelope = Envelope::parse(&bytes)?;
            let opened = envelope.open(&self.keys)?;
            contents.payload = Payload::parse(&opened.payload)?;
            (contents.generation, contents.by) = (envelope.generation, opened.by);
            contents.sealer = Some(Sealer::of(&envelope));
            Ok(())
        };
        open().map_err(|source| StoreError::Envelope { path, source })?;
        Ok(contents)
    }

    /// Reads the names and states alone, without a key. What has no file has none.
    pub(super) fn read_meta(&self) -> Result<Result<Meta, MetaError>, StoreError> {
        match self.disk.read(&self.path(META_FILE), MAX_META_BYTES) {
            Ok(bytes) => Ok(bytes.map_or_else(|| Ok(Meta::default()), |bytes| Meta::parse(&bytes))),
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                Ok(Err(MetaError("it has more than 1 MiB".to_owned())))
            }
            Err(error) => Err(self.failed("read", META_FILE, error)),
        }
    }
}
