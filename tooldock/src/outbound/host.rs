//! A host with its port, as an operator lists it.

use std::{fmt, str::FromStr};

/// A host name or address, and a port: `git.example.org:8443`; without a port 443 is meant.
///
/// ```
/// use tooldock::outbound::HostPort;
/// let host: HostPort = "Git.Example.org".parse().unwrap();
/// assert_eq!(host, HostPort::new("git.example.org", 443));
/// assert!("https://git.example.org".parse::<HostPort>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HostPort {
    host: String,
    port: u16,
}

impl HostPort {
    /// The port `port` of `host`; an address of IPv6 with or without its brackets.
    #[must_use]
    pub fn new(host: &str, port: u16) -> Self {
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let host = bare.unwrap_or(host).to_ascii_lowercase();
        Self { host, port }
    }

    /// The host, without brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

impl FromStr for HostPort {
    type Err = NoHost;

    fn from_str(text: &str) -> Result<Self, NoHost> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !text.ends_with(']') => (host, port.parse().map_err(|_| NoHost)?),
            _ => (text, 443),
        };
        let bracketed = host.starts_with('[') && host.ends_with(']');
        let plain = |c: char| {
            c.is_ascii_alphanumeric()
                || matches!(c, '.' | '-' | '_')
                || (bracketed && matches!(c, ':' | '[' | ']'))
        };
        if host.is_empty() || host.starts_with(['-', '.']) || !host.chars().all(plain) {
            return Err(NoHost);
        }
        Ok(Self::new(host, port))
    }
}

/// A text is no host with an optional port.
#[derive(Debug, thiserror::Error)]
#[error("not a host such as `git.example.org` or `git.example.org:8443`")]
pub struct NoHost;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_and_written() {
        for text in ["git.example.org:443", "127.0.0.1:8443", "[::1]:8443"] {
            assert_eq!(text.parse::<HostPort>().unwrap().to_string(), text);
        }
        for text in [
            "",
            ":443",
            "a:b",
            "a:70000",
            "-x",
            "https://a",
            "a/b",
            "a b",
            "u@h:1",
            "::1",
        ] {
            assert!(text.parse::<HostPort>().is_err(), "{text}");
        }
    }
}
