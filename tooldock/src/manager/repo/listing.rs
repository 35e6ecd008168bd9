//! The entries of a commit, as `git ls-tree` tells them.

use std::{path::Path, process::Stdio};

use tokio::io::AsyncReadExt as _;

use super::{EntryKind, SnapshotWriter, SourceError, git::Git, path::plain};

/// Bytes that one entry of a listing may have on average.
const ENTRY: usize = 512;

/// A file whose content is wanted.
#[derive(Debug)]
pub(super) struct Blob {
    pub(super) path: String,
    pub(super) object: String,
    pub(super) size: u64,
}

/// Notes every entry of the newest commit in `writer` and gives the files that are worth reading.
pub(super) async fn list(
    git: &Git,
    bare: &Path,
    writer: &mut SnapshotWriter,
) -> Result<Vec<Blob>, SourceError> {
    let mut run = git.start(
        bare,
        Stdio::null(),
        &[],
        ["ls-tree", "-r", "-l", "-z", "--full-tree", "HEAD"],
    )?;
    let most = writer.limits().entries * ENTRY;
    let mut text = Vec::new();
    if let Some(pipe) = run.child.stdout.take() {
        pipe.take(most as u64 + 1).read_to_end(&mut text).await?;
    }
    if text.len() > most {
        return Err(writer.too_many());
    }
    if !run.child.wait().await?.success() {
        return Err(SourceError::Git("it has no commit that can be read".to_owned()));
    }
    let mut blobs = Vec::new();
    for entry in text.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
        if let Some(blob) = note(entry, writer)? {
            blobs.push(blob);
        }
    }
    Ok(blobs)
}

/// One entry: `<mode> <type> <object> <size>\t<path>`. A size is `-` for a submodule, and no number for a file that was not sent.
fn note(entry: &[u8], writer: &mut SnapshotWriter) -> Result<Option<Blob>, SourceError> {
    let broken = || SourceError::Git("its listing cannot be read".to_owned());
    let tab = entry.iter().position(|byte| *byte == b'\t').ok_or_else(broken)?;
    let (head, path) = (
        std::str::from_utf8(&entry[..tab]).map_err(|_| broken())?,
        &entry[tab + 1..],
    );
    let mut words = head.split_ascii_whitespace();
    let mut word = || words.next().ok_or_else(broken);
    let (mode, _, object, size) = (word()?, word()?, word()?, word()?);
    let Some(path) = plain(path) else {
        writer.skip_odd_name()?;
        return Ok(None);
    };
    let size = size.parse().ok();
    let kind = match (mode, size) {
        ("120000", _) => EntryKind::Link,
        ("160000", _) => EntryKind::Submodule,
        (_, Some(size)) if size <= writer.limits().file_bytes => {
            return Ok(Some(Blob {
                path: path.to_owned(),
                object: object.to_owned(),
                size,
            }));
        }
        _ => EntryKind::Large,
    };
    writer.note(path, kind, size.unwrap_or_default())?;
    Ok(None)
}
