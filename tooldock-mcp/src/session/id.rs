//! The id of a session.

use std::{fmt, sync::Arc};

use crate::random::random_name;

/// The id of a session: 128 bits from the system's generator as 32 lower-case hexadecimal digits.
///
/// `Debug` shows the first eight digits only, since whoever knows an id is half way in.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// A new id.
    ///
    /// # Errors
    /// [`Internal`](tooldock_engine::ErrorKind::Internal) when the system gives no random bytes.
    pub fn generate() -> tooldock_engine::Result<Self> {
        Ok(Self(random_name()?.into()))
    }

    /// The id as it travels.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", &self.0[..8])
    }
}

impl std::borrow::Borrow<str> for SessionId {
    fn borrow(&self) -> &str {
        &self.0
    }
}
