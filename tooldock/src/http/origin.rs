//! The `Origin` header: which web pages may send requests.

use std::{net::IpAddr, sync::Arc};

use http::{Uri, header::ORIGIN, request::Parts};
use tooldock_engine::{EngineError, ErrorKind};

use super::{Gate, Refusal, refusal::refuse};

/// Which web pages may send requests: those on this machine, and those the operator lists.
///
/// A request without `Origin` does not come from a page and passes. Origins are compared as scheme, host and port, never by
/// prefix. `*` allows every page that has an origin (`null` is none); a gateway takes it only while tokens are required.
///
/// ```
/// use tooldock::http::Origins;
/// let origins = Origins::new(["https://chat.example.org".to_owned()]);
/// assert!(origins.allows("https://chat.example.org") && origins.allows("http://localhost:3000"));
/// assert!(!origins.allows("https://chat.example.org.evil.com") && !origins.allows("null"));
/// let app: axum::Router = axum::Router::new().layer(origins);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Origins(Arc<[String]>);

impl Origins {
    /// Allows `listed` besides pages of this machine.
    pub fn new(listed: impl IntoIterator<Item = String>) -> Self {
        Self(
            listed
                .into_iter()
                .map(|origin| origin.trim_end_matches('/').to_ascii_lowercase())
                .collect(),
        )
    }

    /// Whether a page of this origin may send requests.
    #[must_use]
    pub fn allows(&self, origin: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        let listed = self.0.contains(&origin);
        listed || (self.allows_all() && origin != "null") || is_loopback(&origin)
    }

    /// Whether `*` is listed.
    #[must_use]
    pub fn allows_all(&self) -> bool {
        self.0.iter().any(|listed| listed == "*")
    }
}

fn is_loopback(origin: &str) -> bool {
    let Ok(uri) = origin.parse::<Uri>() else {
        return false;
    };
    let bare = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    // An origin is scheme and authority, nothing more.
    let (Some(bare), Some(authority), Some(host)) = (bare, uri.authority(), uri.host()) else {
        return false;
    };
    let address = host.trim_start_matches('[').trim_end_matches(']');
    bare == authority.as_str()
        && !bare.contains('@')
        && (host == "localhost" || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback()))
}

impl Gate for Origins {
    fn admit(&self, head: &mut Parts) -> Result<(), Refusal> {
        let mut values = head.headers.get_all(ORIGIN).iter();
        let allowed = match (values.next(), values.next()) {
            (None, _) => true,
            (Some(value), None) => value.to_str().is_ok_and(|origin| self.allows(origin)),
            (Some(_), Some(_)) => false,
        };
        if allowed {
            return Ok(());
        }
        let text = "pages of this origin may not send requests here; the operator can add the origin to ALLOWED_ORIGINS";
        Err(refuse(head, &EngineError::new(ErrorKind::Forbidden, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s19_origins_are_compared_whole() {
        let origins = Origins::new([
            "https://a.example".to_owned(),
            "http://b.example:8080/".to_owned(),
        ]);
        for good in [
            "https://a.example",
            "HTTPS://A.example",
            "http://b.example:8080",
            "http://localhost",
            "http://127.0.0.1:5",
            "http://[::1]:5",
        ] {
            assert!(origins.allows(good), "{good}");
        }
        for bad in [
            "null",
            "",
            "https://a.example.evil",
            "https://a.example:444",
            "http://a.example",
            "https://xa.example",
            "https://a.example.",
            "http://localhost.evil.com",
            "http://localhost@evil.com",
            "http://evil.com#localhost",
            "http://127.0.0.1.evil.com",
            "file://localhost",
            "http://localhost/path",
        ] {
            assert!(!origins.allows(bad), "{bad}");
        }
        let all = Origins::new(["*".to_owned()]);
        assert!(all.allows("https://anything.example") && !all.allows("null"));
        assert!(Origins::new(["null".to_owned()]).allows("null"));
    }
}
