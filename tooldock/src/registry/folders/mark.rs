//! Digests of what a namespace is started with.

use std::fmt;

use sha2::{Digest as _, Sha256};
use tooldock_worker::{NamespaceFolder, NamespaceOptions};

use super::given::Given;

/// Makes digests under a key of this process, so that nobody can try values against one that he got hold of.
#[derive(Clone, Copy)]
pub(super) struct Mark([u8; 32]);

impl Mark {
    pub(super) fn new() -> Self {
        let mut key = [0; 32];
        // Without random bytes the digests still tell changes.
        getrandom::fill(&mut key).ok();
        Self(key)
    }

    /// A digest of everything a namespace is started with; of secrets nothing else is kept.
    pub(super) fn of_content(
        self,
        folder: &NamespaceFolder,
        options: &NamespaceOptions,
        given: &Given,
    ) -> String {
        // The debug form of the options holds each of them.
        let options = format!("{options:?} {}", given.hides);
        let values = given
            .secrets
            .iter()
            .flat_map(|(name, value)| [name.as_str(), value.expose()]);
        let declared = |name: &&String| folder.manifest.secrets.contains(*name);
        let waiting = given
            .waiting
            .iter()
            .filter(declared)
            .flat_map(|name| [name.as_str(), ""]);
        self.digest(
            [folder.digest.as_str(), &options]
                .into_iter()
                .chain(values)
                .chain(waiting),
        )
    }

    /// A digest of a text.
    pub(super) fn of(self, text: &str) -> String {
        self.digest([text])
    }

    fn digest<'a>(self, parts: impl IntoIterator<Item = &'a str>) -> String {
        let mut hash = Sha256::new_with_prefix(self.0);
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        // Behind the parts as well, so that no digest can be continued.
        hash.update(self.0);
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mark(…)")
    }
}
