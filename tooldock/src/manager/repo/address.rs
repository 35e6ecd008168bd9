//! The address of a repository, checked before anything else sees it.

use std::{fmt, str::FromStr};

use reqwest::Url;

use super::SourceError;
use crate::outbound::HostPort;

/// Characters that an address may have.
const LONGEST: usize = 500;

/// An address of HTTPS: a host, perhaps a port, and a plain path. No user, no query, no other scheme.
///
/// ```
/// use tooldock::manager::repo::RepoAddress;
/// let address: RepoAddress = "https://git.example.org/group/server.git".parse().unwrap();
/// assert_eq!(address.host().host(), "git.example.org");
/// assert!("--upload-pack=touch".parse::<RepoAddress>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoAddress {
    text: String,
    host: HostPort,
}

impl RepoAddress {
    /// The address as it was written, without slashes at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host that is connected to.
    #[must_use]
    pub fn host(&self) -> &HostPort {
        &self.host
    }
}

impl fmt::Display for RepoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for RepoAddress {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Self, SourceError> {
        let no = |reason| SourceError::Address {
            shown: shown(text),
            reason,
        };
        if text.len() > LONGEST || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(no(
                "an address has at most 500 visible ASCII characters and no spaces",
            ));
        }
        let Some(rest) = text.strip_prefix("https://") else {
            return Err(no("only addresses that start with `https://` are"));
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        if authority.contains('@') {
            return Err(no("it must not hold a user or a password"));
        }
        let path = path.trim_end_matches('/');
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '~' | '+');
        let is_segment = |segment: &str| {
            !segment.is_empty()
                && !matches!(segment, "." | "..")
                && !segment.starts_with('-')
                && segment.chars().all(plain)
        };
        if !path.split('/').all(is_segment) {
            return Err(no(
                "after the host comes a path of letters, digits, `.`, `_`, `-` such as `/owner/repository`",
            ));
        }
        let host = authority.parse().map_err(|_| no("it names no host"))?;
        // What a parser of addresses makes of it must be what stands there, or the two could be different hosts.
        let read = Url::parse(text).ok();
        let same = read.and_then(|url| Some(HostPort::new(url.host_str()?, url.port_or_known_default()?)));
        if same.as_ref() != Some(&host) {
            return Err(no("its host is not written in its plain form"));
        }
        Ok(Self {
            text: format!("https://{authority}/{path}"),
            host,
        })
    }
}

/// The address as an error may show it.
fn shown(text: &str) -> String {
    let start: String = text.chars().take(120).collect();
    let start = match start.rfind('@') {
        Some(at) => format!("…{}", &start[at..]),
        None => start,
    };
    start.escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s66_only_plain_https_is_an_address() {
        for address in [
            "https://git.example/o/r",
            "https://git.example/o/r.git/",
            "https://git.example:8443/group/sub/r",
            "https://127.0.0.1:8443/r",
            "https://[::1]:8443/r",
        ] {
            assert!(address.parse::<RepoAddress>().is_ok(), "{address}");
        }
        let refused = [
            "",
            "r",
            "/etc",
            "../r",
            "file:///etc",
            "http://git.example/o/r",
            "git://git.example/r",
            "ssh://git@git.example/r",
            "git@git.example:o/r",
            "ext::sh -c id",
            "ext::https://a/b",
            "fd::3",
            "HTTPS://git.example/r",
            "--upload-pack=id",
            "-u",
            "https://",
            "https:///r",
            "https://git.example",
            "https://git.example/",
            "https://user@git.example/r",
            "https://u:p@git.example/r",
            "https://git.example/o/../r",
            "https://git.example/./r",
            "https://git.example//r",
            "https://git.example/o/-r",
            "https://-x/r",
            "https://git.example/r?x=1",
            "https://git.example/r#x",
            "https://git.example/%2e%2e/r",
            "https://git.example/a b",
            "https://git.example/r\n--x",
            "https://git.example/r\0",
            "https://git.example:0x50/r",
            "https://git.example:99999/r",
            "https://0x7f000001/r",
            "https://2130706433/r",
            "https://127.1/r",
            "https://gıt.example/r",
            "https://git.example\\@evil.example/r",
            "https://git.example/r;id",
            "https://git.example/$(id)",
            "https://git.example/`id`",
            "https://git.example/r'",
        ];
        for address in refused {
            assert!(address.parse::<RepoAddress>().is_err(), "{address}");
        }
        assert!(
            format!("https://git.example/{}", "a".repeat(500))
                .parse::<RepoAddress>()
                .is_err()
        );
    }

    #[test]
    fn errors_hold_no_credentials() {
        let error = "https://joe:canary@git.example/r"
            .parse::<RepoAddress>()
            .unwrap_err();
        assert!(!error.to_string().contains("canary"), "{error}");
    }
}
