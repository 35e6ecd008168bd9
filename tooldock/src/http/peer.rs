//! The address at the other end of the connection.

use std::net::IpAddr;

/// The address of the socket peer, and of the client that it speaks for; the server puts it into the extensions of each request.
///
/// IPv4 addresses that arrive in their IPv6 form are turned back.
///
/// ```
/// use tooldock::http::Peer;
/// let peer = Peer::new("::ffff:10.0.0.1".parse()?);
/// assert_eq!(peer.ip(), "10.0.0.1".parse::<std::net::IpAddr>()?);
/// assert_eq!(peer.client(), peer.ip());
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    ip: IpAddr,
    client: IpAddr,
}

impl Peer {
    /// The peer at `ip`, which speaks for itself.
    #[must_use]
    pub fn new(ip: IpAddr) -> Self {
        let ip = ip.to_canonical();
        Self { ip, client: ip }
    }

    /// The same peer, which speaks for the client at `client`.
    #[must_use]
    pub fn speaking_for(self, client: IpAddr) -> Self {
        Self {
            client: client.to_canonical(),
            ..self
        }
    }

    /// The address of the socket peer.
    #[must_use]
    pub fn ip(self) -> IpAddr {
        self.ip
    }

    /// The address of the client: behind a [trusted proxy](super::Proxies) what that says, else that of the peer.
    #[must_use]
    pub fn client(self) -> IpAddr {
        self.client
    }
}
