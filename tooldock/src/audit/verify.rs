//! Whether the lines of a folder are all there and as they were written.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{chain::Link, folder};

/// Bytes of a line that is read; no line of ours has as many.
const LINE_BYTES: u64 = 4 << 20;

/// What a look at a chain that is whole has found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verified {
    /// Files.
    pub files: usize,
    /// Lines of the chain.
    pub lines: u64,
    /// Lines from before the chain began.
    pub before: u64,
    /// The hash of the last line. Whoever keeps it elsewhere can tell later whether lines were taken off the end.
    pub last: String,
}

/// Why a chain is not whole.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A file or the folder cannot be read.
    #[error("`{}`: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is no chain.
    #[error("no line carries a hash; set AUDIT_CHAIN to `true` and look again when something was recorded")]
    NoChain,
    /// A line is not what was written, or something before it is gone.
    #[error("`{}`, line {line}: {what}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line in it, from 1 on.
        line: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// No line has the hash that was kept.
    #[error("no line has the hash `{0}`; lines that were there when it was noted are gone")]
    NoHead(String),
}

/// Follows the chain through all files of `folder`. With `head`, one of its lines must have this hash: one that was noted earlier.
///
/// Without a `head` nobody can tell whether lines were taken off the end. The last line of the last file is left out while it is
/// being written.
///
/// # Errors
/// The first place where the chain is broken, or why nothing can be told.
pub fn verify(folder: &Path, head: Option<&str>) -> Result<Verified, VerifyError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| VerifyError::Read { path, error }
    };
    let files = folder::files(folder).map_err(failed(folder))?;
    let mut chain = Chain::default();
    for (at, (_, path)) in files.iter().enumerate() {
        let mut reader = BufReader::new(File::open(path).map_err(failed(path))?);
        let (mut line, mut number) = (Vec::new(), 0);
        while read_line(&mut reader, &mut line).map_err(failed(path))? {
            number += 1;
            let whole = line.pop_if(|end| *end == b'\n').is_some();
            if !whole && at + 1 == files.len() {
                break;
            }
            let followed = if whole {
                chain.follow(&line)
            } else {
                Err("it has no end")
            };
            followed.map_err(|what| VerifyError::Broken {
                path: path.clone(),
                line: number,
                what,
            })?;
            chain.met_head |= head.is_some() && head == chain.link.map(|link| link.to_string()).as_deref();
        }
    }
    let last = chain.link.ok_or(VerifyError::NoChain)?;
    if let (Some(head), false) = (head, chain.met_head) {
        return Err(VerifyError::NoHead(head.to_owned()));
    }
    Ok(Verified {
        files: files.len(),
        lines: chain.lines,
        before: chain.before,
        last: last.to_string(),
    })
}

/// Reads one line with its end; whether there was one.
fn read_line(reader: &mut impl io::BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    Ok(reader.take(LINE_BYTES).read_until(b'\n', line)? > 0)
}

/// How far the chain was followed.
#[derive(Debug, Default)]
struct Chain {
    link: Option<Link>,
    lines: u64,
    before: u64,
    met_head: bool,
}

impl Chain {
    fn follow(&mut self, line: &[u8]) -> Result<(), &'static str> {
        let previous = match self.link {
            Some(link) => link,
            None if Link::of(line).is_none() => {
                self.before += 1;
                return Ok(());
            }
            None => {
                anchor(line).ok_or("it is the first with a hash and does not say which one it follows")?
            }
        };
        if self.before > 0 && self.link.is_none() && previous != Link::FIRST {
            return Err("it follows a line that has lost its hash");
        }
        let broken = "it is not what was written, or does not follow the line before it: something was changed, added or taken out";
        self.link = Some(previous.follow(line).ok_or(broken)?);
        self.lines += 1;
        Ok(())
    }
}

/// The link that the first line of a file says it follows.
fn anchor(line: &[u8]) -> Option<Link> {
    #[derive(Deserialize)]
    struct Opened {
        previous: String,
    }
    let opened: Opened = serde_json::from_slice(line).ok()?;
    opened.previous.parse().ok()
}
