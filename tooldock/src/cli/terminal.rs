//! Asking at the terminal, without showing the answer.

use std::{
    io::{self, IsTerminal as _, Write as _},
    os::fd::AsFd as _,
};

use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use zeroize::Zeroizing;

use super::Failure;

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
/// terminal otherwise keeps. It is as it was when this is dropped.
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
        tcsetattr(io::stdin().as_fd(), OptionalActions::Now, &self.0).ok();
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

/// Asks for one line that is not shown.
pub(super) fn hidden(question: &str) -> Result<String, Failure> {
    let _silent = Silent::new()?;
    let mut err = io::stderr();
    write!(err, "{question}")?;
    err.flush()?;
    let line = line();
    writeln!(err)?;
    let line = line?.ok_or_else(|| Failure::Run("interrupted; nothing was changed".to_owned()))?;
    String::from_utf8(line.to_vec()).map_err(|error| {
        drop(Zeroizing::new(error.into_bytes()));
        Failure::Run("the value is no UTF-8 text; nothing was changed".to_owned())
    })
}

/// The bytes up to the end of the line; nothing when it was given up.
fn line() -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    // Large enough from the beginning, so that no copy is left behind while it grows.
    let mut line = Zeroizing::new(Vec::with_capacity(MOST + 1));
    while line.len() <= MOST {
        match key()? {
            None | Some(INTERRUPT) => return Ok(None),
            Some(END) if line.is_empty() => return Ok(None),
            Some(b'\n' | b'\r' | END) => break,
            Some(KILL) => line.clear(),
            Some(byte) if ERASE.contains(&byte) => {
                // The rest of a character of several bytes as well.
                while line.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
            }
            Some(byte) => line.push(byte),
        }
    }
    Ok(Some(line))
}
