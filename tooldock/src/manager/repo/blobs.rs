//! The contents of files, as `git cat-file --batch` gives them.

use std::{path::Path, process::Stdio};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

use super::{EntryKind, SnapshotWriter, SourceError, git::Git, listing::Blob};

/// Files that are asked for before their contents are read: less than a pipe holds.
const AHEAD: usize = 64;

/// Copies the contents of `blobs` out of the object store.
pub(super) async fn copy_blobs(
    git: &Git,
    bare: &Path,
    blobs: &[Blob],
    writer: &mut SnapshotWriter,
) -> Result<(), SourceError> {
    let broken = || SourceError::Git("its files cannot be read".to_owned());
    let mut run = git.start(bare, Stdio::piped(), &[], ["cat-file", "--batch", "--buffer"])?;
    let mut ask = run.child.stdin.take().ok_or_else(broken)?;
    let mut told = BufReader::new(run.child.stdout.take().ok_or_else(broken)?);
    let asking = async {
        for some in blobs.chunks(AHEAD) {
            let lines: String = some.iter().map(|blob| format!("{}\n", blob.object)).collect();
            ask.write_all(lines.as_bytes()).await?;
        }
        drop(ask);
        Ok::<_, SourceError>(())
    };
    let reading = async {
        for blob in blobs {
            let mut head = String::new();
            told.read_line(&mut head).await?;
            if head.trim_end() != format!("{} blob {}", blob.object, blob.size) {
                // The server left it out as too large.
                if head.trim_end().ends_with(" missing") {
                    writer.note(&blob.path, EntryKind::Large, blob.size)?;
                    continue;
                }
                return Err(broken());
            }
            let length = usize::try_from(blob.size).map_err(|_| broken())?;
            let mut content = vec![0; length + 1];
            told.read_exact(&mut content).await?;
            content.pop();
            writer.file(&blob.path, &content)?;
        }
        Ok(())
    };
    tokio::try_join!(asking, reading)?;
    Ok(())
}
