//! Taking an address.

use std::{
    fs, io,
    net::SocketAddr,
    os::unix::{
        fs::{FileTypeExt as _, PermissionsExt as _},
        net::UnixStream,
    },
    path::Path,
};

use tokio::net::{TcpListener, UnixListener};

use super::Listener;
use crate::config::UnixSocket;

/// Listens at the file of `socket`, or else on `address`.
///
/// # Errors
/// When somebody else does, or the place is not ours; the text names it.
pub(crate) async fn bind(address: SocketAddr, socket: Option<&UnixSocket>) -> io::Result<Listener> {
    let named = |place: &dyn std::fmt::Display, error: io::Error| {
        io::Error::new(error.kind(), format!("cannot listen on {place}: {error}"))
    };
    match socket {
        Some(UnixSocket { path, mode }) => bind_file(path, *mode)
            .map(Listener::from)
            .map_err(|error| named(&format_args!("`{}`", path.display()), error)),
        None => TcpListener::bind(address)
            .await
            .map(Listener::from)
            .map_err(|error| named(&address, error)),
    }
}

/// Takes the place of a file that nobody listens at any more.
fn bind_file(path: &Path, mode: u32) -> io::Result<UnixListener> {
    let left = fs::symlink_metadata(path).is_ok_and(|there| there.file_type().is_socket());
    if left && UnixStream::connect(path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
    {
        fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_that_is_left_is_taken_and_one_in_use_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let socket = UnixSocket {
            path: folder.path().join("gateway.sock"),
            mode: 0o660,
        };
        let nowhere = "127.0.0.1:0".parse().unwrap();
        let first = bind(nowhere, Some(&socket)).await.unwrap();
        assert_eq!(
            fs::metadata(&socket.path).unwrap().permissions().mode() & 0o777,
            0o660
        );
        let error = bind(nowhere, Some(&socket)).await.unwrap_err().to_string();
        assert!(
            error.contains("gateway.sock") && error.contains("in use"),
            "{error}"
        );
        drop(first);
        bind(nowhere, Some(&socket)).await.unwrap();
        let file = UnixSocket {
            path: folder.path().join("file"),
            mode: 0o660,
        };
        fs::write(&file.path, "kept").unwrap();
        assert!(bind(nowhere, Some(&file)).await.is_err());
        assert_eq!(fs::read_to_string(&file.path).unwrap(), "kept");
    }
}
