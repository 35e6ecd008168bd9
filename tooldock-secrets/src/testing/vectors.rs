//! Known answers and bad files, as other programs that read the format should know them too.

use serde::Deserialize;

use crate::{
    envelope::{Envelope, EnvelopeError},
    key::Key,
    keys::Keys,
    payload::Payload,
};

/// A file with its key, and what is in it or what is wrong with it.
#[derive(Debug, Deserialize)]
#[non_exhaustive]
pub struct Vector {
    /// What it is about.
    pub name: String,
    /// The key; none to open without one.
    pub key: Option<String>,
    /// The text of the file.
    pub file: String,
    /// The payload, of a good one.
    pub payload: Option<String>,
    /// The step that refuses it, of a bad one.
    pub error: Option<String>,
}

/// Files that must be opened.
#[must_use]
pub fn good() -> Vec<Vector> {
    serde_json::from_str(include_str!("../../vectors/good.json")).expect("the file is checked by the tests")
}

/// Files that must be refused.
#[must_use]
pub fn bad() -> Vec<Vector> {
    serde_json::from_str(include_str!("../../vectors/bad.json")).expect("the file is checked by the tests")
}

impl Vector {
    /// Opens the file and gives the payload as it is sealed.
    ///
    /// # Errors
    /// The step that refuses it.
    pub fn open(&self) -> Result<String, EnvelopeError> {
        open(self.key.as_deref(), self.file.as_bytes())
    }
}

/// Opens the bytes of a file and gives the payload as it is sealed. The rules for keys do not apply.
///
/// # Errors
/// The step that refuses it.
pub fn open(key: Option<&str>, file: &[u8]) -> Result<String, EnvelopeError> {
    let keys = key.map_or_else(Keys::insecure, |key| Keys::new(Key::unchecked(key.as_bytes())));
    let opened = Envelope::parse(file)?.open(&keys)?;
    Payload::parse(&opened.payload)?;
    Ok(String::from_utf8_lossy(&opened.payload).into_owned())
}
