//! Asking at the terminal, without showing the answer.

use std::{
    io::{self, IsTerminal as _, Write as _},
    os::fd::AsFd as _,
};

use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use zeroize::Zeroizing;

use super::{Failure, secrets::Signals};

/// Bytes an answer may have.
const MOST: usize = 64 << 10;
const INTERRUPT: u8 = 0x03;
const END: u8 = 0x04;
const ERASE: [u8; 2] = [0x08, 0x7f];
const KILL: u8 = 0x15;

/// Whether a person can be asked.
pub(super) fn is_there() -> bool {
    io::stdin().is_terminal()
}

/// A terminal that shows nothing of what is typed, and hands on every key at once; so a line may be longer than the 4 KiB that a
/// terminal otherwise keeps. It is as it was when this is dropped, and what was typed too much is not left to the shell.
pub(super) struct Silent(Termios);

impl Silent {
    pub(super) fn new() -> io::Result<Self> {
        let before = tcgetattr(io::stdin().as_fd())?;
        let mut quiet = before.clone();
        quiet.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
        quiet.special_codes[SpecialCodeIndex::VMIN] = 1;
        quiet.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(io::stdin().as_fd(), OptionalActions::Now, &quiet)?;
        Ok(Self(before))
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        tcsetattr(io::stdin().as_fd(), OptionalActions::Flush, &self.0).ok();
    }
}

/// One key; nothing at the end of the input.
pub(super) fn key() -> io::Result<Option<u8>> {
    let mut byte = [0];
    loop {
        match rustix::io::read(io::stdin().as_fd(), &mut byte) {
            Ok(0) => return Ok(None),
            Ok(_) => return Ok(Some(byte[0])),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Asks for one line that is not shown, unless a signal comes first.
pub(super) async fn hidden(question: &str, signals: &mut Signals) -> Result<String, Failure> {
    let silent = Silent::new()?;
    let mut err = io::stderr();
    write!(err, "{question}")?;
    err.flush()?;
    let line = tokio::select! {
        line = tokio::task::spawn_blocking(line) => line.map_err(|error| Failure::Run(error.to_string())),
        caught = signals.next() => Err(caught.failure()),
    };
    drop(silent);
    writeln!(err).ok();
    let given_up = || Failure::Run("interrupted; nothing was changed".to_owned());
    let line = line??.ok_or_else(given_up)?;
    String::from_utf8(line.to_vec()).map_err(|error| {
        drop(Zeroizing::new(error.into_bytes()));
        Failure::Run("the value is no UTF-8 text; nothing was changed".to_owned())
    })
}

/// The bytes up to the end of the line; nothing when it was given up.
fn line() -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
    // Large enough from the beginning, so that no copy is left behind while it grows.
    let mut line = Zeroizing::new(Vec::with_capacity(MOST + 1));
    loop {
        match key()? {
            None | Some(INTERRUPT) => return Ok(None),
            Some(END) if line.is_empty() => return Ok(None),
            Some(b'\n' | b'\r' | END) => break,
            Some(KILL) => line.clear(),
            Some(byte) if ERASE.contains(&byte) => {
                // The rest of a character of several bytes as well.
                while line.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
            }
            // What is too long is read to its end all the same, and refused then.
            Some(_) if line.len() > MOST => {}
            Some(byte) => line.push(byte),
        }
    }
    if goes_on()? {
        return Err(Failure::Run(
            "more than one line was pasted; pipe a value of several lines: `tooldock-manager secrets set NAME < file`; \
             nothing was changed"
                .to_owned(),
        ));
    }
    Ok(Some(line))
}

/// Whether more than ends of lines waits behind the line.
fn goes_on() -> io::Result<bool> {
    while rustix::io::ioctl_fionread(io::stdin().as_fd())? > 0 {
        match key()? {
            Some(b'\n' | b'\r') => {}
            more => return Ok(more.is_some()),
        }
    }
    Ok(false)
}
