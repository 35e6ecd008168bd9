//! Address ranges.

use std::sync::Arc;

use http::request::Parts;
use ipnet::IpNet;
use tooldock_engine::{EngineError, ErrorKind};

use super::{Gate, Peer, Refusal, refusal::refuse};

/// Lets in only peers from certain address ranges. No range, no peer.
///
/// It looks for a [`Peer`] among the extensions of a request. [`run::serve`](crate::run::serve) puts one there; behind another server a
/// layer of yours does.
///
/// ```
/// use axum::{Extension, Router, body::Body, routing::get};
/// use http::Request;
/// use tooldock::http::{Cidr, Peer};
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let inside = Cidr::new(["10.0.0.0/8".parse().expect("a range")]);
/// assert!(inside.allows(Some(Peer::new([10, 1, 2, 3].into()))) && !inside.allows(None));
/// let app: Router = Router::new().route("/", get(|| async { "hello" })).layer(inside);
/// let from = |ip: [u8; 4]| app.clone().layer(Extension(Peer::new(ip.into()))).oneshot(Request::new(Body::empty()));
/// assert_eq!(from([10, 0, 0, 7]).await?.status(), 200);
/// assert_eq!(from([192, 0, 2, 7]).await?.status(), 403);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cidr(Arc<[IpNet]>);

impl Cidr {
    /// Allows `ranges`.
    pub fn new(ranges: impl IntoIterator<Item = IpNet>) -> Self {
        Self(ranges.into_iter().collect())
    }

    /// Whether `peer` is inside one of the ranges; an unknown peer never is.
    #[must_use]
    pub fn allows(&self, peer: Option<Peer>) -> bool {
        peer.is_some_and(|peer| self.0.iter().any(|range| range.contains(&peer.ip())))
    }
}

impl Gate for Cidr {
    fn admit(&self, head: &mut Parts) -> Result<(), Refusal> {
        if self.allows(head.extensions.get().copied()) {
            return Ok(());
        }
        Err(refuse(
            head,
            &EngineError::new(
                ErrorKind::Forbidden,
                "requests from this address are not allowed here",
            ),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s17_an_empty_list_admits_nobody_and_mapped_addresses_are_plain_ones() {
        for (ranges, ip, admitted) in [
            (&[][..], "127.0.0.1", false),
            (&["10.0.0.0/8"], "10.1.2.3", true),
            (&["10.0.0.0/8"], "::ffff:10.1.2.3", true),
            (&["10.0.0.0/8"], "11.0.0.1", false),
            (&["10.0.0.0/8"], "::a01:203", false),
            (&["192.0.2.7/32", "2001:db8::/32"], "2001:db8::1", true),
            (&["192.0.2.7/32", "2001:db8::/32"], "192.0.2.8", false),
        ] {
            let cidr = Cidr::new(ranges.iter().map(|range| range.parse().unwrap()));
            let peer = Peer::new(ip.parse().unwrap());
            assert_eq!(cidr.allows(Some(peer)), admitted, "{ranges:?} {ip}");
            assert!(!cidr.allows(None), "who is not known is nobody");
        }
    }
}
