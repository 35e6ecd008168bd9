//! The socket that systemd hands over: socket activation.

use std::{io, os::fd::OwnedFd};

use listenfd::ListenFd;

/// Takes the socket that this program was started with (`LISTEN_FDS`, `LISTEN_PID`: sd_listen_fds(3)), if there is one. Must be called
/// before there are threads: what tells of it is taken out of the environment, so that no child takes it for its own.
///
/// # Errors
/// When it is no socket that can be listened at, or when there are several.
pub(super) fn take() -> io::Result<Option<OwnedFd>> {
    let mut given = ListenFd::from_env();
    if given.len() > 1 {
        let text = format!(
            "LISTEN_FDS is {}, but one socket is listened at; keep one `ListenStream=` in the unit",
            given.len()
        );
        return Err(io::Error::other(text));
    }
    // Which of the two it is says the first that does not complain.
    if let Ok(Some(listener)) = given.take_tcp_listener(0) {
        return Ok(Some(listener.into()));
    }
    let listener = given.take_unix_listener(0).map_err(|error| {
        io::Error::other(format!(
            "LISTEN_FDS hands over something that cannot be listened at: {error}"
        ))
    })?;
    Ok(listener.map(OwnedFd::from))
}
