//! Secrets as the gateway sees them: where they come from, and how they are kept out of everything else.

mod redact;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use async_trait::async_trait;

use zeroize::Zeroizing;

pub use self::redact::{redact_json, redact_text};
use crate::{NamespaceName, error::Result};

/// A secret value. It can be neither printed, serialized nor cloned, and is wiped when it is dropped; [`expose`](Self::expose) is the only way to read it.
///
/// ```
/// use tooldock_engine::secret::SecretValue;
/// let value = SecretValue::new("hunter2".to_owned());
/// assert_eq!(format!("{value:?}"), "SecretValue(…)");
/// assert_eq!(value.expose(), "hunter2");
/// ```
///
/// ```compile_fail
/// fn print(value: tooldock_engine::secret::SecretValue) -> String { value.to_string() }
/// ```
///
/// ```compile_fail
/// fn copy(value: &tooldock_engine::secret::SecretValue) -> tooldock_engine::secret::SecretValue { value.clone() }
/// ```
///
/// ```compile_fail
/// fn store(value: &tooldock_engine::secret::SecretValue) -> String { serde_json::to_string(value).unwrap() }
/// ```
pub struct SecretValue(Zeroizing<String>);

impl SecretValue {
    /// Wraps a value.
    #[must_use]
    pub fn new(value: String) -> Self {
        Self(Zeroizing::new(value))
    }

    /// The value itself. Every use of this is a place to look at in review.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue(…)")
    }
}

/// The secrets of one namespace by name.
pub type Secrets = BTreeMap<String, SecretValue>;

/// Where the secrets of a namespace come from.
///
/// ```
/// use async_trait::async_trait;
/// use tooldock_engine::{NamespaceName, Result, secret::{SecretSource, SecretValue, Secrets}};
///
/// /// Gives every namespace one secret that is made up when it starts.
/// #[derive(Debug)]
/// struct Fresh;
///
/// #[async_trait]
/// impl SecretSource for Fresh {
///     async fn secrets(&self, namespace: &NamespaceName) -> Result<Secrets> {
///         let value = format!("{namespace}-{}", std::process::id());
///         Ok(Secrets::from([("RUN_KEY".to_owned(), SecretValue::new(value))]))
///     }
/// }
/// ```
#[async_trait]
pub trait SecretSource: fmt::Debug + Send + Sync + 'static {
    /// All secrets that `namespace` is given: its own and the global ones.
    ///
    /// # Errors
    /// [`Dependency`](crate::ErrorKind::Dependency) when the store cannot be read; never with a value in the text.
    ///
    /// # Cancel safety
    /// Safe: reading has no effect.
    async fn secrets(&self, namespace: &NamespaceName) -> Result<Secrets>;

    /// Reads again what may have changed: asked once when a reload begins. What was read before stays when this fails. A source that
    /// keeps nothing has nothing to do.
    ///
    /// # Errors
    /// As [`secrets`](Self::secrets).
    ///
    /// # Cancel safety
    /// Safe: what was read before stays.
    async fn refresh(&self) -> Result<()> {
        Ok(())
    }

    /// Names without a value that somebody has prepared, so that an operator is told to fill them in. A source that knows of no such
    /// names has none.
    ///
    /// # Errors
    /// As [`secrets`](Self::secrets).
    ///
    /// # Cancel safety
    /// Safe: reading has no effect.
    async fn waiting(&self, _namespace: &NamespaceName) -> Result<BTreeSet<String>> {
        Ok(BTreeSet::new())
    }
}

/// A source without any secret.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSecrets;

#[async_trait]
impl SecretSource for NoSecrets {
    async fn secrets(&self, _namespace: &NamespaceName) -> Result<Secrets> {
        Ok(Secrets::new())
    }
}

/// Takes known secret values out of what leaves a namespace.
///
/// ```
/// use std::borrow::Cow;
/// use tooldock_engine::secret::Redactor;
///
/// /// Hides every digit.
/// #[derive(Debug)]
/// struct Digits;
///
/// impl Redactor for Digits {
///     fn redact<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
///         text.iter().map(|byte| if byte.is_ascii_digit() { b'#' } else { *byte }).collect::<Vec<_>>().into()
///     }
/// }
///
/// assert_eq!(&*Digits.redact(b"room 12"), b"room ##");
/// ```
pub trait Redactor: fmt::Debug + Send + Sync + 'static {
    /// The text with every known value replaced; the same text when there is none.
    fn redact<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]>;
}
