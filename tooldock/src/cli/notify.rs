//! Telling systemd that the program serves: sd_notify(3).

use std::{
    io,
    os::{
        linux::net::SocketAddrExt as _,
        unix::net::{SocketAddr, UnixDatagram},
    },
};

/// Tells whoever listens at `socket` (`NOTIFY_SOCKET`) that this process serves. Of two that replace each other the one that says it last
/// is the main process of its unit.
///
/// # Errors
/// When nobody listens there.
pub(super) fn ready(socket: &str) -> io::Result<()> {
    let address = match socket.strip_prefix('@') {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(socket)?,
    };
    let text = format!("READY=1\nMAINPID={}\n", std::process::id());
    UnixDatagram::unbound()?.send_to_addr(text.as_bytes(), &address)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systemd_is_told_which_process_serves() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let systemd = UnixDatagram::bind(&path).unwrap();
        ready(path.to_str().unwrap()).unwrap();
        let mut told = [0; 64];
        let length = systemd.recv(&mut told).unwrap();
        let text = format!("READY=1\nMAINPID={}\n", std::process::id());
        assert_eq!(std::str::from_utf8(&told[..length]).unwrap(), text);
        assert!(ready("/nowhere/notify").is_err());
    }
}
