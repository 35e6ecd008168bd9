//! An upgrade without a lost call: a gateway starts its successor, and hands over the socket and the data folder when that is ready.
//!
//! What goes between the two is a pair of sockets. The one that serves sends two descriptors, the socket and the lock of the data folder;
//! the other one answers with a line when everything is loaded. Neither notices anything of a successor that gives up.

use std::{
    env,
    ffi::OsString,
    fs::File,
    io::{self, IoSlice, IoSliceMut, Write as _},
    mem::MaybeUninit,
    os::{
        fd::{AsFd as _, BorrowedFd, OwnedFd},
        unix::net::UnixStream,
    },
    process::Stdio,
    time::Duration,
};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

use super::Failure;
use crate::run::Listener;

/// The flag that tells a successor what it is; what it takes over comes on its standard input.
pub(super) const FLAG: &str = "--take-over";
/// What a successor says when it serves.
const READY: &str = "ready\n";
/// How long a successor may take: it may have to install packages.
const PATIENCE: Duration = Duration::from_secs(600);

/// What a successor is given.
#[derive(Debug)]
pub(super) struct Heritage {
    socket: OwnedFd,
    volume: OwnedFd,
}

impl Heritage {
    pub(super) fn new(listener: &Listener, volume: &File) -> io::Result<Self> {
        Ok(Self {
            socket: listener.duplicate()?,
            volume: volume.as_fd().try_clone_to_owned()?,
        })
    }

    /// Starts a successor by the command that has started this process, and waits until it serves; gives the number of its process.
    ///
    /// # Errors
    /// When it cannot be started, ends, or takes too long. It is gone then.
    ///
    /// # Cancel safety
    /// Dropping the future ends the successor.
    pub(super) async fn hand_over(&self) -> io::Result<u32> {
        let (near, far) = UnixStream::pair()?;
        let mut words = env::args_os();
        let program = words.next().ok_or_else(|| io::Error::other("it has no name"))?;
        let child = Command::new(&program)
            .args(command(words.collect()))
            .stdin(Stdio::from(OwnedFd::from(far)))
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("`{}`: {error}", program.display())))?;
        let mut successor = Successor(Some(child));
        send(near.as_fd(), [self.socket.as_fd(), self.volume.as_fd()])?;
        near.set_nonblocking(true)?;
        let mut near = BufReader::new(tokio::net::UnixStream::from_std(near)?);
        let mut said = String::new();
        let heard = timeout(PATIENCE, near.read_line(&mut said)).await;
        heard
            .map_err(|_| io::Error::other(format!("it was not ready within {} s", PATIENCE.as_secs())))??;
        if said != READY {
            return Err(io::Error::other("it has given up; its own log lines say why"));
        }
        Ok(successor.release())
    }
}

/// The words of the command line by which a successor is started.
fn command(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.is_empty() {
        words.push("serve".into());
    }
    words.retain(|word| word != FLAG);
    words.push(FLAG.into());
    words
}

/// A successor that does not serve yet, and does not outlive the wait for it.
struct Successor(Option<Child>);

impl Successor {
    fn release(&mut self) -> u32 {
        self.0.take().and_then(|child| child.id()).unwrap_or_default()
    }
}

impl Drop for Successor {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            child.start_kill().ok();
        }
    }
}

/// The gateway that serves until this one is ready.
#[derive(Debug)]
pub(super) struct Predecessor(UnixStream);

impl Predecessor {
    /// Takes what the gateway that has started this one hands over.
    ///
    /// # Errors
    /// When nobody hands over anything.
    pub(super) fn meet() -> Result<(Self, OwnedFd, File), Failure> {
        let received = io::stdin().as_fd().try_clone_to_owned();
        let received = received.map(UnixStream::from).and_then(|channel| {
            let [socket, volume] = receive(channel.as_fd())?;
            Ok((Self(channel), socket, File::from(volume)))
        });
        received.map_err(|error| {
            Failure::Run(format!(
                "{FLAG} is for a gateway that another one starts to be replaced ({error}); send SIGUSR2 to that one"
            ))
        })
    }

    /// Tells it that this one serves from now on.
    ///
    /// # Errors
    /// When it is gone.
    pub(super) fn release(mut self) -> io::Result<()> {
        self.0.write_all(READY.as_bytes())
    }
}

fn send(channel: BorrowedFd<'_>, descriptors: [BorrowedFd<'_>; 2]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    message.push(SendAncillaryMessage::ScmRights(&descriptors));
    // Descriptors travel with at least one byte.
    sendmsg(channel, &[IoSlice::new(&[0])], &mut message, SendFlags::NOSIGNAL)?;
    Ok(())
}

fn receive(channel: BorrowedFd<'_>) -> io::Result<[OwnedFd; 2]> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(
        channel,
        &mut [IoSliceMut::new(&mut byte)],
        &mut message,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    let rights = message.drain().filter_map(|part| match part {
        RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
        _ => None,
    });
    let descriptors: Vec<OwnedFd> = rights.flatten().collect();
    descriptors
        .try_into()
        .map_err(|_| io::Error::other("nothing was handed over"))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};

    use super::*;

    #[test]
    fn a_successor_is_started_as_its_predecessor_was() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(command(words(&[])), words(&["serve", FLAG]));
        assert_eq!(
            command(words(&["serve", FLAG, "--port", "80"])),
            words(&["serve", "--port", "80", FLAG])
        );
    }

    #[test]
    fn descriptors_arrive_as_what_they_are() {
        let (near, far) = UnixStream::pair().unwrap();
        let (mut one, two) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
        one.write_all(b"one").unwrap();
        send(near.as_fd(), [one.as_fd(), two.as_fd()]).unwrap();
        let [first, _] = receive(far.as_fd()).unwrap();
        let (mut first, mut text) = (File::from(first), String::new());
        first.rewind().unwrap();
        first.read_to_string(&mut text).unwrap();
        assert_eq!(text, "one");
        (&near).write_all(b"x").unwrap();
        assert!(receive(far.as_fd()).is_err(), "a byte alone hands over nothing");
    }
}
