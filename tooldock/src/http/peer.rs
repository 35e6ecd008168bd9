//! The address at the other end of the connection.

use std::net::IpAddr;

/// The address of the socket peer; the server puts it into the extensions of each request.
///
/// IPv4 addresses that arrive in their IPv6 form are turned back.
///
/// ```
/// use tooldock::http::Peer;
/// assert_eq!(Peer::new("::ffff:10.0.0.1".parse()?).ip(), "10.0.0.1".parse::<std::net::IpAddr>()?);
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(IpAddr);

impl Peer {
    /// The peer at `ip`.
    #[must_use]
    pub fn new(ip: IpAddr) -> Self {
        Self(ip.to_canonical())
    }

    /// The address.
    #[must_use]
    pub fn ip(self) -> IpAddr {
        self.0
    }
}
