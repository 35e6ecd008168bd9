//! The settings of where a gateway listens, and whether it speaks TLS there.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use super::reader::Reader;

/// A socket for clients on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnixSocket {
    /// Its file (setting `UNIX_SOCKET`).
    pub path: PathBuf,
    /// Who may connect, as permissions of the file (setting `UNIX_SOCKET_MODE`).
    pub mode: u32,
}

/// Where to listen.
pub(super) struct Listen {
    pub(super) address: SocketAddr,
    pub(super) socket: Option<UnixSocket>,
    #[cfg(feature = "tls")]
    pub(super) certificate: Option<crate::run::Certificate>,
}

impl Listen {
    pub(super) fn read(read: &mut Reader<'_>) -> Self {
        let ip: IpAddr = read.parse("BIND_ADDRESS", "an IP address");
        let port: u16 = read.parse("PORT", "a number from 0 to 65535");
        let mode = read.text("UNIX_SOCKET_MODE");
        let bits = u32::from_str_radix(&mode, 8).ok().filter(|bits| *bits <= 0o777);
        if bits.is_none() {
            let shown = mode.escape_debug();
            read.mistakes.push(format!(
                "UNIX_SOCKET_MODE is `{shown}`; it must be permissions in octal digits, such as `660`"
            ));
        }
        let socket = read.optional("UNIX_SOCKET").map(|path| UnixSocket {
            path: path.into(),
            mode: bits.unwrap_or_default(),
        });
        let files = [read.optional("TLS_CERT_FILE"), read.optional("TLS_KEY_FILE")];
        if files.iter().flatten().next().is_some() && socket.is_some() {
            let text = "TLS_CERT_FILE and UNIX_SOCKET are both set, but there is no TLS on a socket of this machine; take out one of them";
            read.mistakes.push(text);
        }
        #[cfg(not(feature = "tls"))]
        if files.iter().flatten().next().is_some() {
            let text = "TLS_CERT_FILE is set, but this program was built without the feature `tls`";
            read.mistakes.push(text);
        }
        Self {
            address: SocketAddr::new(ip, port),
            socket,
            #[cfg(feature = "tls")]
            certificate: certificate(read, files),
        }
    }

    /// The address by which is judged who could reach it.
    pub(super) fn ip(&self) -> IpAddr {
        match self.socket {
            Some(_) => Ipv4Addr::LOCALHOST.into(),
            None => self.address.ip(),
        }
    }
}

#[cfg(feature = "tls")]
fn certificate(read: &mut Reader<'_>, files: [Option<String>; 2]) -> Option<crate::run::Certificate> {
    match files {
        [None, None] => None,
        [Some(chain), Some(key)] => crate::run::Certificate::open(chain, key)
            .map_err(|error| read.mistakes.push(error.to_string()))
            .ok(),
        [Some(_), None] => {
            read.mistakes
                .push("TLS_CERT_FILE is set and TLS_KEY_FILE is not; set both, or none");
            None
        }
        [None, Some(_)] => {
            read.mistakes
                .push("TLS_KEY_FILE is set and TLS_CERT_FILE is not; set both, or none");
            None
        }
    }
}
