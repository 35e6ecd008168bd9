//! Known answers and bad files, as other programs that read the format should know them too.

use serde::Deserialize;

use crate::{
    envelope::{Envelope, EnvelopeError},
    key::Key,
    keys::Keys,
    name::SecretName,
    payload::{Payload, PayloadError},
    scope::Scope,
    value::SecretValue,
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

/// Reads a payload as it is sealed: scope, name and value of each secret, in order.
///
/// ```
/// let values = tooldock_secrets::testing::values(br#"{"global":{"A_KEY":"x"},"namespaces":{}}"#)?;
/// assert_eq!((values[0].1.as_str(), values[0].2.expose()), ("A_KEY", "x"));
/// # Ok::<(), tooldock_secrets::PayloadError>(())
/// ```
///
/// # Errors
/// The rule that it breaks.
pub fn values(payload: &[u8]) -> Result<Vec<(Scope, SecretName, SecretValue)>, PayloadError> {
    let scopes = Payload::parse(payload)?.0.into_iter();
    let rows = scopes.flat_map(|(scope, values)| {
        let row = move |(name, value)| (scope.clone(), name, value);
        values.into_iter().map(row)
    });
    Ok(rows.collect())
}
