//! A client of HTTPS that connects to checked addresses only.

use std::{fs, path::PathBuf, time::Duration};

use bytes::{Bytes, BytesMut};
use http::{HeaderName, HeaderValue, header::ACCEPT};
use reqwest::{Certificate, Client, Url, redirect::Policy};

use super::{Guard, HostPort, Refused};

/// How a client behaves.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OutboundSettings {
    /// Which hosts it may connect to.
    pub guard: Guard,
    /// A file of certificates (PEM) that are trusted besides those of the system.
    pub certificates: Option<PathBuf>,
    /// How long one request may take, its answer included.
    pub time_limit: Duration,
}

impl OutboundSettings {
    /// Thirty seconds a request, and the certificates of the system.
    #[must_use]
    pub fn new(guard: Guard) -> Self {
        Self {
            guard,
            certificates: None,
            time_limit: Duration::from_secs(30),
        }
    }
}

/// Fetches by HTTPS. Every request resolves its host once, checks it, and connects to what was checked.
#[derive(Debug, Clone)]
pub struct Outbound(OutboundSettings);

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutboundError {
    /// The address is none of HTTPS with a host.
    #[error("`{0}` is no address that starts with `https://` and names a host")]
    Address(String),
    /// The host may not be connected to.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The answer is no success; what it said of itself is its number.
    #[error("`{address}` answered {status}")]
    Status {
        /// Where.
        address: String,
        /// The number of its status.
        status: u16,
    },
    /// The answer is larger than was expected.
    #[error("the answer of `{address}` is larger than {limit} bytes")]
    Large {
        /// Where.
        address: String,
        /// The bytes it may have.
        limit: usize,
    },
    /// There is no answer.
    #[error("`{address}` cannot be reached: {reason}")]
    Away {
        /// Where.
        address: String,
        /// What went wrong, without the address.
        reason: String,
    },
    /// The file of certificates cannot be read.
    #[error("the certificates in `{}` (OUTBOUND_CA_FILE) cannot be read: {reason}", .file.display())]
    Certificates {
        /// Where they are expected.
        file: PathBuf,
        /// What went wrong.
        reason: String,
    },
}

impl Outbound {
    /// A client with these settings.
    #[must_use]
    pub fn new(settings: OutboundSettings) -> Self {
        Self(settings)
    }

    /// The same client, which may also connect to hosts that the operator's own settings name.
    #[must_use]
    pub fn allowing(&self, hosts: impl IntoIterator<Item = HostPort>) -> Self {
        Self(OutboundSettings {
            guard: self.0.guard.and(hosts),
            ..self.0.clone()
        })
    }

    /// The certificates to trust besides those of the system.
    fn certificates(&self) -> Result<Vec<Certificate>, OutboundError> {
        let Some(file) = &self.0.certificates else {
            return Ok(Vec::new());
        };
        let unreadable = |reason: String| OutboundError::Certificates {
            file: file.clone(),
            reason,
        };
        let pem = fs::read(file).map_err(|error| unreadable(error.to_string()))?;
        Certificate::from_pem_bundle(&pem).map_err(|_| unreadable("it is not PEM".to_owned()))
    }

    /// Fetches what stands at an address, at most `limit` bytes of it.
    ///
    /// # Errors
    /// The address is not fit, its host is refused, or there is no answer of success within the limits.
    ///
    /// # Cancel safety
    /// Dropping it ends the request.
    pub async fn get(
        &self,
        address: &str,
        headers: &[(HeaderName, HeaderValue)],
        limit: usize,
    ) -> Result<Bytes, OutboundError> {
        let shown = without_query(address);
        let (url, place) = read_address(address).ok_or_else(|| OutboundError::Address(shown.clone()))?;
        let addresses = self.0.guard.check(&place).await?;
        let away = |error: reqwest::Error| OutboundError::Away {
            address: shown.clone(),
            reason: reason(&error),
        };
        let client = Client::builder()
            .user_agent(concat!("tooldock/", env!("CARGO_PKG_VERSION")))
            .https_only(true)
            .no_proxy()
            .referer(false)
            .redirect(Policy::custom(|attempt| {
                let home = attempt.previous().first().map(Url::origin);
                if attempt.previous().len() <= 3 && home == Some(attempt.url().origin()) {
                    attempt.follow()
                } else {
                    attempt.stop()
                }
            }))
            .timeout(self.0.time_limit)
            .resolve_to_addrs(place.host(), &addresses)
            .tls_certs_merge(self.certificates()?)
            .build()
            .map_err(away)?;
        let mut request = client.get(url).header(ACCEPT, "application/json");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let mut response = request.send().await.map_err(away)?;
        if !response.status().is_success() {
            let status = response.status().as_u16();
            return Err(OutboundError::Status {
                address: shown,
                status,
            });
        }
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await.map_err(away)? {
            if body.len() + chunk.len() > limit {
                return Err(OutboundError::Large {
                    address: shown,
                    limit,
                });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }
}

/// An address of HTTPS without user and password, and the host that it names.
fn read_address(address: &str) -> Option<(Url, HostPort)> {
    let url = Url::parse(address).ok()?;
    let fit = url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
    let place = HostPort::new(url.host_str()?, url.port_or_known_default()?);
    fit.then_some((url, place))
}

/// What of an address is shown: a query may hold a key, and what stands before an `@` is a password.
fn without_query(address: &str) -> String {
    let start = address.split(['?', '#']).next().unwrap_or_default();
    let plain: String = start.chars().filter(|c| !c.is_control()).take(300).collect();
    match plain.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find('/').unwrap_or(rest.len());
            let host = rest[..end].rfind('@').map_or(0, |at| at + 1);
            format!("{scheme}://{}", &rest[host..])
        }
        None => plain,
    }
}

/// The innermost cause, which names no address.
fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it took too long".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s29_only_https_without_credentials_is_an_address() {
        for address in [
            "http://a.example/",
            "file:///etc/passwd",
            "https://u:p@a.example/",
            "ftp://a.example",
            "a.example",
            "https://",
        ] {
            assert!(read_address(address).is_none(), "{address}");
        }
        let (_, place) = read_address("https://A.example:8443/x?y").unwrap();
        assert_eq!(place, HostPort::new("a.example", 8443));
        assert_eq!(
            read_address("https://[::1]/").unwrap().1,
            HostPort::new("::1", 443)
        );
    }

    #[test]
    fn errors_hold_no_credentials() {
        assert_eq!(
            without_query("https://joe:pa@ss@index.example/simple?key=1"),
            "https://index.example/simple"
        );
    }

    #[tokio::test]
    async fn s29_a_refused_host_is_never_connected_to() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = format!("https://{}/", listener.local_addr().unwrap());
        let client = Outbound::new(OutboundSettings::new(Guard::new([])));
        let error = client.get(&address, &[], 1024).await.unwrap_err();
        assert!(error.to_string().contains("OUTBOUND_ALLOWED_HOSTS"), "{error}");
        assert!(listener.accept().is_err(), "nobody came");
    }
}
