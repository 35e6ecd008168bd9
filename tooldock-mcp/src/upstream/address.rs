//! Where a server is.

use std::{fmt, str::FromStr};

use reqwest::Url;

/// The address of a server's MCP endpoint: `http` or `https`, without a user or a password.
///
/// ```
/// use tooldock_mcp::upstream::Address;
/// let address: Address = "http://127.0.0.1:8000/demo/mcp".parse()?;
/// assert!(address.is_loopback());
/// assert!("http://me:secret@example.org/mcp".parse::<Address>().is_err());
/// # Ok::<(), tooldock_mcp::upstream::AddressError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Address(Url);

/// Why a text is no address of a server. It does not repeat the text, which may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// It is no URL.
    #[error("the address is no URL; write it like `http://127.0.0.1:8000/demo/mcp`")]
    Malformed,
    /// Another scheme.
    #[error("the address must begin with `http://` or `https://`")]
    Scheme,
    /// It holds a user or a password.
    #[error("the address holds a user or a password; give a token in the environment or in a file instead")]
    Credentials,
    /// `https`, in a program that was built without it.
    #[error(
        "this program was built without TLS, so it cannot reach an `https` address; build it with the feature `tls`"
    )]
    NoTls,
}

impl Address {
    pub(super) fn url(&self) -> &Url {
        &self.0
    }

    /// Whether it names this machine, so that nobody on a network sees what is sent there.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let literal = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || literal.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
    }

    /// Whether what is sent there is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let mut url = Url::parse(text).map_err(|_| AddressError::Malformed)?;
        match url.scheme() {
            "http" => {}
            "https" if cfg!(feature = "tls") => {}
            "https" => return Err(AddressError::NoTls),
            _ => return Err(AddressError::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::Credentials);
        }
        url.set_fragment(None);
        Ok(Self(url))
    }
}

/// Without its query, which may hold a secret: for logs and errors.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0.origin().ascii_serialization(), self.0.path())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_hold_no_secret_and_show_none() {
        let read = |text: &str| text.parse::<Address>();
        assert_eq!(read("127.0.0.1/mcp"), Err(AddressError::Malformed));
        assert_eq!(read("file:///etc/passwd"), Err(AddressError::Scheme));
        assert_eq!(read("http://token@example.org/"), Err(AddressError::Credentials));
        assert_eq!(read("http://:x@example.org/"), Err(AddressError::Credentials));
        let address = read("http://example.org:81/a/mcp?key=secret#x").unwrap();
        assert_eq!(address.to_string(), "http://example.org:81/a/mcp");
        assert_eq!(address.url().query(), Some("key=secret"));
        for (text, local) in [
            ("http://localhost/", true),
            ("http://[::1]:8000/", true),
            ("http://127.9.9.9/", true),
            ("http://localhost.example.org/", false),
            ("http://192.168.0.1/", false),
        ] {
            assert_eq!(read(text).unwrap().is_loopback(), local, "{text}");
        }
    }
}
