//! The file of one day, open for more.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _},
    path::Path,
};

use rustix::fs::OFlags;

use super::{chain::Link, day::Day};

/// Bytes at the end of a file that are searched for its last line. No line of ours is longer.
const TAIL: u64 = 4 << 20;

/// What lines are written on: a file, and another thing in tests that play a full disk.
pub(super) trait Paper: Read + Write + Seek + Send {
    /// Takes off what lies behind the first `length` bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;
    /// Whether somebody has removed it, so that whatever is written is lost.
    fn is_gone(&self) -> io::Result<bool>;
    /// Keeps other processes from writing, or lets them again.
    fn hold(&self, alone: bool) -> io::Result<()>;
    /// Makes what was written outlast a loss of power.
    fn flush_to_disk(&self) -> io::Result<()>;
}

impl Paper for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn is_gone(&self) -> io::Result<bool> {
        Ok(self.metadata()?.nlink() == 0)
    }

    fn hold(&self, alone: bool) -> io::Result<()> {
        if alone { self.lock() } else { self.unlock() }
    }

    fn flush_to_disk(&self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Opens the file at `path`, for its owner only. A link is refused, and whatever else is no file.
pub(super) fn open_file(path: &Path) -> io::Result<Box<dyn Paper>> {
    let mut options = OpenOptions::new();
    let options = options.read(true).append(true).create(true).mode(0o600);
    let file = options
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    Ok(Box::new(file))
}

/// The file of one day, open for more.
pub(super) struct Page {
    pub(super) day: Day,
    /// The link of its last line, where it has one.
    pub(super) link: Option<Link>,
    /// Bytes of a line that was not written to its end, and was taken off.
    pub(super) cut: u64,
    paper: Box<dyn Paper>,
    length: u64,
}

impl Page {
    /// Goes on with `paper` behind its last whole line. No other process writes there until [`release`](Self::release).
    pub(super) fn new(day: Day, mut paper: Box<dyn Paper>) -> io::Result<Self> {
        paper.hold(true)?;
        let (length, link) = last_line(&mut *paper)?;
        let cut = paper.seek(SeekFrom::End(0))? - length;
        if cut > 0 {
            paper.cut(length)?;
        }
        Ok(Self {
            day,
            link,
            cut,
            paper,
            length,
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(super) fn is_gone(&self) -> bool {
        self.paper.is_gone().unwrap_or(true)
    }

    /// Keeps other processes from writing; whether none has since it was released.
    pub(super) fn hold(&mut self) -> io::Result<bool> {
        self.paper.hold(true)?;
        Ok(self.paper.seek(SeekFrom::End(0))? == self.length)
    }

    /// Lets other processes write: the one that replaces this one keeps the same log.
    pub(super) fn release(&self) -> io::Result<()> {
        self.paper.hold(false)
    }

    /// Adds whole lines, all of them or none.
    pub(super) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        if let Err(error) = self.paper.write_all(lines) {
            self.paper.cut(self.length)?;
            return Err(error);
        }
        self.length += lines.len() as u64;
        Ok(())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if let Err(error) = self.paper.flush_to_disk() {
            tracing::warn!(day = %self.day, %error, "the audit log of a day could not be flushed to the disk");
        }
    }
}

/// Where the last whole line ends, and its link.
fn last_line(paper: &mut dyn Paper) -> io::Result<(u64, Option<Link>)> {
    let length = paper.seek(SeekFrom::End(0))?;
    let start = length.saturating_sub(TAIL);
    paper.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    paper.take(TAIL).read_to_end(&mut tail)?;
    let Some(end) = tail.iter().rposition(|byte| *byte == b'\n') else {
        return match start {
            0 => Ok((0, None)),
            _ => Err(io::Error::other("its last line is longer than any of ours")),
        };
    };
    let line = tail[..end].rsplit(|byte| *byte == b'\n').next();
    Ok((start + end as u64 + 1, line.and_then(Link::of)))
}
