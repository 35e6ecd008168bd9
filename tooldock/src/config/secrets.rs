//! The settings of the secrets store.

use std::{path::PathBuf, sync::Arc};

use tooldock_secrets::{Key, Keys};

use super::{KeyNeed, Mistakes, Sources, reader::Reader, secret_file::Given};

/// The settings of the secrets store, checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SecretsSettings {
    /// The folder with the files.
    pub data_dir: PathBuf,
    /// The keys.
    pub keys: Arc<Keys>,
    /// Whether values are kept unencrypted, as there is no key and the operator wants that.
    pub insecure: bool,
    /// Whether namespaces are given only what they declare.
    pub only_declared: bool,
}

impl SecretsSettings {
    /// Reads them alone, for commands that need nothing else.
    ///
    /// # Errors
    /// Every mistake at once.
    pub fn read(sources: &Sources<'_>) -> Result<Self, Mistakes> {
        let mut read = Reader::new(sources);
        let settings = Self::with(&mut read, KeyNeed::Required);
        read.mistakes.or(settings)
    }

    pub(super) fn with(read: &mut Reader<'_>, need: KeyNeed) -> Self {
        let insecure = read.either("ALLOW_INSECURE_SECRETS", ["1", "0"]);
        let remedy = "make one with `tooldock-manager keygen`, or set ALLOW_INSECURE_SECRETS=1 to keep secrets unencrypted";
        let missing = (!insecure && matches!(need, KeyNeed::Required)).then_some(remedy);
        let own = match need {
            KeyNeed::Given(key) => Some(key),
            KeyNeed::Required | KeyNeed::Optional => None,
        };
        let current = key(read, "SECRETS_KEY", missing).or(own);
        let previous = key(read, "SECRETS_KEY_PREVIOUS", None);
        if current.is_none() && previous.is_some() {
            let mistake = "SECRETS_KEY_PREVIOUS is set without SECRETS_KEY; set both";
            read.mistakes.push(mistake.to_owned());
        }
        let insecure = insecure && current.is_none();
        let keys = match current {
            Some(key) => Keys::new(key),
            None if insecure => Keys::insecure(),
            None => Keys::none(),
        };
        let keys = match previous {
            Some(previous) => keys.with_previous(previous),
            None => keys,
        };
        Self {
            data_dir: read.text("DATA_DIR").into(),
            keys: Arc::new(keys),
            insecure,
            only_declared: read.either("SECRETS_ONLY_DECLARED", ["true", "false"]),
        }
    }
}

fn key(read: &mut Reader<'_>, name: &str, missing: Option<&str>) -> Option<Key> {
    let key = match read.given(name, missing)? {
        Given::Value(text) => Key::new(text.into_bytes()),
        Given::File(bytes) => Key::from_file(bytes),
    };
    key.map_err(|error| read.mistakes.push(format!("{name}: {error}")))
        .ok()
}
