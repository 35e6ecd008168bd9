//! The `Host` header: the defence against names that an attacker points at this machine.

use std::{collections::BTreeSet, net::IpAddr, sync::Arc};

use http::{Version, header::HOST, request::Parts};
use tooldock_engine::{EngineError, ErrorKind};

use super::{Gate, Refusal, refusal::refuse};

/// Which hosts this gateway answers for: loopback names, addresses, single labels, and what the operator lists.
///
/// A name that somebody else can point at this machine has a dot; a single label, as containers have, cannot be such a name.
///
/// ```
/// use tooldock::http::Hosts;
/// let hosts = Hosts::new(["tools.example.org".to_owned()]);
/// assert!(hosts.allows("tools.example.org:8443") && hosts.allows("127.0.0.1:8000") && hosts.allows("tooldock-core"));
/// assert!(!hosts.allows("evil.example.com"));
/// let app: axum::Router = axum::Router::new().layer(hosts);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Hosts(Arc<BTreeSet<String>>);

impl Hosts {
    /// Allows `listed` besides what is always allowed. Names without a port mean every port.
    pub fn new(listed: impl IntoIterator<Item = String>) -> Self {
        Self(Arc::new(
            listed.into_iter().map(|host| host.to_ascii_lowercase()).collect(),
        ))
    }

    /// Whether a `Host` header of this value is answered.
    #[must_use]
    pub fn allows(&self, host: &str) -> bool {
        let name = without_port(host);
        let address = name
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<IpAddr>()
            .is_ok();
        let label = !name.is_empty()
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        let listed = |host: &str| self.0.contains(host) || self.0.contains(without_port(host));
        address || label || listed(&host.to_ascii_lowercase())
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

impl Gate for Hosts {
    fn admit(&self, head: &mut Parts) -> Result<(), Refusal> {
        let mut values = head.headers.get_all(HOST).iter();
        let value = match (values.next(), values.next()) {
            // HTTP/1.0 has no need of it: probes of load balancers have none, pages in browsers always do.
            (None, _) if head.version < Version::HTTP_11 && head.uri.authority().is_none() => return Ok(()),
            (Some(value), None) => value.to_str().ok(),
            (None, _) => head.uri.authority().map(|authority| authority.as_str()),
            (Some(_), Some(_)) => None,
        };
        let Some(value) = value else {
            return Err(refuse(
                head,
                &EngineError::new(
                    ErrorKind::InvalidRequest,
                    "send exactly one readable `Host` header",
                ),
            ));
        };
        if self.allows(value) {
            return Ok(());
        }
        let text = format!(
            "this gateway does not answer for the host `{}`; the operator can add it to ALLOWED_HOSTS",
            value.escape_debug()
        );
        Err(refuse(head, &EngineError::new(ErrorKind::Forbidden, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s18_only_http_1_0_does_without() {
        for (version, host, admitted) in [
            (Version::HTTP_10, None, true),
            (Version::HTTP_10, Some("evil.com"), false),
            (Version::HTTP_11, None, false),
            (Version::HTTP_11, Some("localhost"), true),
        ] {
            let mut request = http::Request::get("/health").version(version);
            if let Some(host) = host {
                request = request.header(HOST, host);
            }
            let (mut head, ()) = request.body(()).unwrap().into_parts();
            assert_eq!(
                Hosts::default().admit(&mut head).is_ok(),
                admitted,
                "{version:?} {host:?}"
            );
        }
    }

    #[test]
    fn f46_a_refusal_names_the_host_and_the_setting() {
        let hosts = Hosts::new(["tools.example.org".to_owned()]);
        for (host, admitted) in [
            ("container", true),
            ("tools.example.org", true),
            ("tools.example.org:8443", true),
            ("evil.example.com", false),
        ] {
            let request = http::Request::get("/health").header(HOST, host).body(());
            let (mut head, ()) = request.unwrap().into_parts();
            assert_eq!(hosts.admit(&mut head).is_ok(), admitted, "{host}");
        }
        let request = http::Request::get("/health")
            .header(HOST, "evil.example.com")
            .body(());
        let (mut head, ()) = request.unwrap().into_parts();
        let refusal = hosts.admit(&mut head).unwrap_err();
        let body = axum::body::to_bytes(refusal.into_body(), 4096);
        let body = futures_util::FutureExt::now_or_never(body).unwrap().unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(
            text.contains("evil.example.com") && text.contains("ALLOWED_HOSTS"),
            "{text}"
        );
    }

    #[test]
    fn s18_only_own_names_are_answered() {
        let hosts = Hosts::new(["Tools.example.org".to_owned(), "port.example.org:81".to_owned()]);
        for good in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1",
            "127.0.0.1:8000",
            "[::1]:8000",
            "10.1.2.3",
            "core",
            "tools.example.org:1",
            "port.example.org:81",
        ] {
            assert!(hosts.allows(good), "{good}");
        }
        for bad in [
            "",
            "evil.com",
            "localhost.evil.com",
            "tools.example.org.evil.com",
            "xtools.example.org",
            "port.example.org:82",
            "a b",
            "localhost:80:80",
        ] {
            assert!(!hosts.allows(bad), "{bad}");
        }
    }
}
