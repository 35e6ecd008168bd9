//! Taking an address.

use std::{io, net::SocketAddr};

use tokio::net::TcpListener;

/// Listens on `address`.
///
/// # Errors
/// When the address is taken or not ours; the text names it.
pub(crate) async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .map_err(|error| io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))
}
