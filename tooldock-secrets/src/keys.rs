//! The keys that a store may use, and what was derived from them.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    kdf::{Derived, Kdf},
    key::Key,
};

/// Derivations that are kept: two keys, for the file of now and the one before.
const MOST_KEPT: usize = 4;

/// The keys that a store may use. Each is derived once for a file's salt and cost, and what was derived is kept in memory that
/// is wiped.
#[derive(Debug)]
pub struct Keys {
    current: Option<Key>,
    previous: Option<Key>,
    plain: bool,
    kept: Mutex<Vec<Kept>>,
}

#[derive(Debug)]
struct Kept {
    which: Which,
    kdf: Kdf,
    salt: [u8; 32],
    derived: Arc<Derived>,
}

/// Which of the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Current,
    Previous,
}

impl Keys {
    /// The one key, that opens and seals.
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self {
            current: Some(key),
            previous: None,
            plain: false,
            kept: Mutex::default(),
        }
    }

    /// Without a key: values are stored as plain text. For one machine and one person only; a store with a key refuses such a
    /// file, and this one refuses a sealed file.
    #[must_use]
    pub fn insecure() -> Self {
        Self {
            current: None,
            previous: None,
            plain: true,
            kept: Mutex::default(),
        }
    }

    /// Neither a key nor the consent to go without: a store that has a file cannot be opened, one that has none is empty.
    #[must_use]
    pub fn none() -> Self {
        Self {
            plain: false,
            ..Self::insecure()
        }
    }

    /// A second key that opens as well, while a change of the key is under way. It never seals.
    #[must_use]
    pub fn with_previous(mut self, key: Key) -> Self {
        self.previous = Some(key);
        self
    }

    pub(crate) fn may_be_plain(&self) -> bool {
        self.plain
    }

    pub(crate) fn has_key(&self) -> bool {
        self.current.is_some()
    }

    pub(crate) fn available(&self) -> impl Iterator<Item = Which> {
        let current = self.current.as_ref().map(|_| Which::Current);
        current
            .into_iter()
            .chain(self.previous.as_ref().map(|_| Which::Previous))
    }

    /// What is derived from a key, if there is such a key. Takes time once for each salt and cost.
    pub(crate) fn derived(&self, which: Which, kdf: Kdf, salt: &[u8; 32]) -> Option<Arc<Derived>> {
        let key = match which {
            Which::Current => self.current.as_ref()?,
            Which::Previous => self.previous.as_ref()?,
        };
        // Held while deriving, so that two threads do not do it twice.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |one: &&Kept| (one.which, one.kdf, &one.salt) == (which, kdf, salt);
        if let Some(known) = kept.iter().find(same) {
            return Some(Arc::clone(&known.derived));
        }
        let derived = Arc::new(kdf.derive(key, salt));
        if kept.len() == MOST_KEPT {
            kept.remove(0);
        }
        kept.push(Kept {
            which,
            kdf,
            salt: *salt,
            derived: Arc::clone(&derived),
        });
        Some(derived)
    }
}
