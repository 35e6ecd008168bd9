//! Where connections come from: a socket of TCP or of this machine, with or without TLS.

use std::{
    fmt, io, net::IpAddr, net::Ipv4Addr, net::SocketAddr, os::fd::OwnedFd, path::PathBuf, time::Duration,
};

use rustix::net::{AddressFamily, getsockname, sockopt::socket_acceptconn};
use tokio::{
    net::{TcpListener, UnixListener},
    time::sleep,
};

#[cfg(feature = "tls")]
use super::Certificate;
use super::stream::{Handshake, Stream};
use crate::http::Peer;

/// A socket that connections come to. One of this machine ([`UnixListener`]) lets in whoever its file lets in; its peers count as
/// `127.0.0.1`.
///
/// ```no_run
/// # async fn run(gateway: tooldock::Gateway) -> std::io::Result<()> {
/// use tooldock::run::{Limits, Listener};
/// let listener = Listener::from(tokio::net::UnixListener::bind("/run/tooldock/gateway.sock")?);
/// gateway.serve(listener, Limits::default(), std::future::pending()).await;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Listener {
    socket: Socket,
    handshake: Handshake,
}

#[derive(Debug)]
enum Socket {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// Where a [`Listener`] listens.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Address {
    /// On an address and a port.
    Tcp(SocketAddr),
    /// At a file; nothing when it has no name.
    Unix(Option<PathBuf>),
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(Some(path)) => path.display().fmt(f),
            Self::Unix(None) => f.write_str("a socket without a name"),
        }
    }
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Self {
        Self::on(Socket::Tcp(listener))
    }
}

impl From<UnixListener> for Listener {
    fn from(listener: UnixListener) -> Self {
        Self::on(Socket::Unix(listener))
    }
}

impl Listener {
    fn on(socket: Socket) -> Self {
        Self {
            socket,
            handshake: Handshake::default(),
        }
    }

    /// Takes over a socket that somebody else has opened: systemd, or another gateway.
    ///
    /// # Errors
    /// When it is none that listens for streams. Must be called within a Tokio runtime.
    pub fn adopt(socket: OwnedFd) -> io::Result<Self> {
        let listens = socket_acceptconn(&socket).unwrap_or(false);
        match getsockname(&socket)?.address_family() {
            AddressFamily::UNIX if listens => {
                let listener = std::os::unix::net::UnixListener::from(socket);
                listener.set_nonblocking(true)?;
                UnixListener::from_std(listener).map(Self::from)
            }
            AddressFamily::INET | AddressFamily::INET6 if listens => {
                let listener = std::net::TcpListener::from(socket);
                listener.set_nonblocking(true)?;
                TcpListener::from_std(listener).map(Self::from)
            }
            _ => Err(io::Error::other(
                "it is no socket that listens for connections of TCP or of this machine",
            )),
        }
    }

    /// Speaks TLS with this certificate on connections of TCP.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn with_certificate(mut self, certificate: &Certificate) -> Self {
        self.handshake = Handshake::of(certificate);
        self
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn address(&self) -> io::Result<Address> {
        Ok(match &self.socket {
            Socket::Tcp(listener) => Address::Tcp(listener.local_addr()?),
            Socket::Unix(listener) => Address::Unix(listener.local_addr()?.as_pathname().map(PathBuf::from)),
        })
    }

    /// The same socket once more, for another process.
    #[cfg(feature = "cli")]
    pub(crate) fn duplicate(&self) -> io::Result<OwnedFd> {
        use std::os::fd::AsFd as _;
        match &self.socket {
            Socket::Tcp(listener) => listener.as_fd().try_clone_to_owned(),
            Socket::Unix(listener) => listener.as_fd().try_clone_to_owned(),
        }
    }

    /// What has to be agreed on before a connection carries anything.
    pub(super) fn handshake(&self) -> Handshake {
        self.handshake.clone()
    }

    /// Accepts one connection; errors (no descriptors left, a peer that is gone) are waited out.
    pub(super) async fn accept(&self) -> (Stream, Peer) {
        let mut pause = Duration::from_millis(5);
        loop {
            let accepted = match &self.socket {
                Socket::Tcp(listener) => listener
                    .accept()
                    .await
                    .map(|(stream, peer)| (Stream::Tcp(stream), peer.ip())),
                Socket::Unix(listener) => listener
                    .accept()
                    .await
                    .map(|(stream, _)| (Stream::Unix(stream), IpAddr::from(Ipv4Addr::LOCALHOST))),
            };
            match accepted {
                Ok((stream, ip)) => return (stream, Peer::new(ip)),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(1));
                }
            }
        }
    }
}
