//! Proxies in front, and what they say about who calls.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use http::{HeaderMap, request::Parts};
use ipnet::IpNet;

use super::{Gate, Peer, Refusal};

const FORWARDED: &str = "x-forwarded-for";

/// Takes the address of the client from `X-Forwarded-For`, where a trusted proxy has written it (setting `TRUSTED_PROXIES`).
///
/// Each proxy adds whom it has heard from at the end, so the list is read from there: past proxies that are trusted, to the first
/// address that is not. What cannot be read ends the walk. `Forwarded` and `X-Real-IP` never count: a proxy that writes one header hands
/// on the others as the client sent them.
///
/// ```
/// use http::HeaderMap;
/// use tooldock::http::{Peer, Proxies};
/// let proxies = Proxies::new(["10.0.0.0/8".parse().expect("a range")]);
/// let headers: HeaderMap = [("x-forwarded-for", "192.0.2.66, 192.0.2.7, 10.0.0.2")]
///     .into_iter()
///     .map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")))
///     .collect();
/// let client = |peer: [u8; 4]| proxies.judge(Peer::new(peer.into()), &headers).client();
/// assert_eq!(client([10, 0, 0, 1]).to_string(), "192.0.2.7");
/// assert_eq!(client([192, 0, 2, 9]).to_string(), "192.0.2.9", "a stranger may write what it likes");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Proxies(Arc<[IpNet]>);

impl Proxies {
    /// Trusts the proxies in `ranges`.
    pub fn new(ranges: impl IntoIterator<Item = IpNet>) -> Self {
        Self(ranges.into_iter().collect())
    }

    fn trusts(&self, ip: IpAddr) -> bool {
        self.0.iter().any(|range| range.contains(&ip))
    }

    /// Whom `peer` speaks for in a request with these headers.
    #[must_use]
    pub fn judge(&self, peer: Peer, headers: &HeaderMap) -> Peer {
        let mut client = peer.ip();
        let lines = headers.get_all(FORWARDED).iter().rev();
        let mut hops = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
        while self.trusts(client) {
            match hops.next().and_then(address) {
                Some(hop) => client = hop,
                None => break,
            }
        }
        peer.speaking_for(client)
    }
}

/// An address as proxies write it: plain, with a port, IPv6 also in brackets.
fn address(hop: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(hop).ok()?.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let ip = bare.unwrap_or(text).parse::<IpAddr>();
    let ip = ip.or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip()));
    ip.ok().map(|ip| ip.to_canonical())
}

impl Gate for Proxies {
    fn admit(&self, head: &mut Parts) -> Result<(), Refusal> {
        if let Some(peer) = head.extensions.get::<Peer>().copied() {
            head.extensions.insert(self.judge(peer, &head.headers));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn s16_only_trusted_hops_are_believed() {
        let proxies = Proxies::new(["10.0.0.0/8", "fd00::/8"].map(|range| range.parse().unwrap()));
        let table: &[(&str, &[&str], &str)] = &[
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["192.0.2.7"], "192.0.2.7"),
            ("192.0.2.1", &["192.0.2.7"], "192.0.2.1"),
            ("10.0.0.1", &["1.1.1.1, 192.0.2.7"], "192.0.2.7"),
            ("10.0.0.1", &["192.0.2.7, 10.0.0.2"], "192.0.2.7"),
            (
                "10.0.0.1",
                &["1.1.1.1", "192.0.2.7,10.0.0.3", "10.0.0.2"],
                "192.0.2.7",
            ),
            ("10.0.0.1", &["192.0.2.7:4711"], "192.0.2.7"),
            ("10.0.0.1", &["[2001:db8::1]:80"], "2001:db8::1"),
            ("10.0.0.1", &["[2001:db8::1]"], "2001:db8::1"),
            ("10.0.0.1", &["2001:db8::1"], "2001:db8::1"),
            ("::ffff:10.0.0.1", &["::ffff:192.0.2.7"], "192.0.2.7"),
            ("fd00::1", &["192.0.2.7, ::ffff:10.1.1.1"], "192.0.2.7"),
            ("10.0.0.1", &["192.0.2.7, unknown"], "10.0.0.1"),
            ("10.0.0.1", &["192.0.2.7, unknown, 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1", &["192.0.2.7, "], "10.0.0.1"),
            ("10.0.0.1", &["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ];
        for (peer, lines, client) in table {
            let mut headers = HeaderMap::new();
            for name in ["forwarded", "x-real-ip"] {
                headers.insert(name, HeaderValue::from_static("8.8.8.8"));
            }
            for line in *lines {
                headers.append(FORWARDED, HeaderValue::from_static(line));
            }
            let peer = Peer::new(peer.parse().unwrap());
            let judged = proxies.judge(peer, &headers);
            assert_eq!(judged.client().to_string(), *client, "{peer:?} {lines:?}");
            assert_eq!(judged.ip(), peer.ip(), "who is at the socket stays known");
            assert_eq!(
                Proxies::default().judge(peer, &headers),
                peer,
                "nobody is trusted by default"
            );
        }
    }
}
