//! One bearer token, kept as its digest.

use std::{fmt, time::SystemTime};

use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConstantTimeEq as _};
use tooldock_engine::context::{Principal, Rights};

/// The digest of a bearer token, and whom it stands for. The token itself is not kept.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use tooldock::{engine::{context::Rights, name::NameChoice}, http::Token};
/// let token = Token::new("ann", "a-token-of-at-least-16-characters")?
///     .limited(Rights::default().in_namespaces(NameChoice::parse(["github"])?))
///     .until(SystemTime::now() + Duration::from_secs(3600));
/// assert!(!token.has_expired());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Token {
    principal: Principal,
    digest: [u8; 32],
    expires: Option<SystemTime>,
}

/// A token that nobody should use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// It can be guessed.
    #[error(
        "a token must have at least 16 characters and stand in no document; make one with `openssl rand -hex 32`"
    )]
    Weak,
    /// It cannot be sent in a header.
    #[error("a token must have visible ASCII characters only; make one with `openssl rand -hex 32`")]
    Unreadable,
}

impl Token {
    /// The token `value` of the principal called `name`, who may do everything.
    ///
    /// # Errors
    /// [`Unreadable`](TokenError::Unreadable) when it holds anything but visible ASCII, else [`Weak`](TokenError::Weak) when it has less
    /// than 16 characters.
    pub fn new(name: &str, value: &str) -> Result<Self, TokenError> {
        if value.is_empty() || !value.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(TokenError::Unreadable);
        }
        if value.len() < 16 {
            return Err(TokenError::Weak);
        }
        Ok(Self::of_digest(name, digest(value.as_bytes())))
    }

    /// The token of which this is the SHA-256.
    #[must_use]
    pub fn of_digest(name: &str, digest: [u8; 32]) -> Self {
        Self {
            principal: Principal::new(name),
            digest,
            expires: None,
        }
    }

    /// Lets whoever presents it do only what `rights` say.
    #[must_use]
    pub fn limited(mut self, rights: Rights) -> Self {
        self.principal = self.principal.limited(rights);
        self
    }

    /// Lets it count until `expires`.
    #[must_use]
    pub fn until(mut self, expires: SystemTime) -> Self {
        self.expires = Some(expires);
        self
    }

    /// Whom it stands for.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Until when it counts; nothing for ever.
    #[must_use]
    pub fn expires(&self) -> Option<SystemTime> {
        self.expires
    }

    /// Whether it counts no longer.
    #[must_use]
    pub fn has_expired(&self) -> bool {
        self.expires.is_some_and(|expires| expires <= SystemTime::now())
    }

    /// Whether `presented` is its digest; takes the same time whatever that is.
    pub(super) fn is(&self, presented: &[u8; 32]) -> Choice {
        self.digest.ct_eq(presented)
    }

    /// Whether `other` is the same token with the same rights for the same time.
    pub(super) fn equals(&self, other: &Self) -> bool {
        (self.digest, self.expires) == (other.digest, other.expires)
            && self.principal == other.principal
            && self.principal.rights() == other.principal.rights()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Token").field(&self.principal).finish()
    }
}

/// What is kept of a token.
pub(crate) fn digest(value: &[u8]) -> [u8; 32] {
    Sha256::digest(value).into()
}
