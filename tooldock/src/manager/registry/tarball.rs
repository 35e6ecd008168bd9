//! Unpacks `.tar.gz` into a snapshot.

use std::io::{self, Read as _};

use flate2::read::GzDecoder;
use tar::{Archive, EntryType};

use crate::manager::repo::{EntryKind, SnapshotWriter, SourceError, plain_path};

/// Copies the files of an archive; their common first folder is left out.
pub(super) fn unpack(content: &[u8], writer: &mut SnapshotWriter) -> Result<(), SourceError> {
    let limits = writer.limits();
    // One byte beyond the limit tells that it was reached: the headers of a bomb cost nothing but time otherwise.
    let mut plain = GzDecoder::new(content).take(limits.total_bytes + 1);
    let result = entries(&mut plain, writer);
    if plain.limit() == 0 {
        return Err(writer.too_large());
    }
    result
}

fn entries(plain: &mut impl io::Read, writer: &mut SnapshotWriter) -> Result<(), SourceError> {
    let broken = |_| SourceError::Archive("the archive is not a readable `.tar.gz`".to_owned());
    let limits = writer.limits();
    for entry in Archive::new(plain).entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let kind = entry.header().entry_type();
        let name = entry.path_bytes().into_owned();
        let inner = name
            .iter()
            .position(|byte| *byte == b'/')
            .map_or(&name[..], |at| &name[at + 1..]);
        if kind == EntryType::Directory || inner.is_empty() {
            continue;
        }
        let Some(path) = plain_path(inner) else {
            writer.skip_odd_name()?;
            continue;
        };
        let size = entry.size();
        match kind {
            EntryType::Regular | EntryType::Continuous if size <= limits.file_bytes => {
                let mut file = Vec::new();
                (&mut entry)
                    .take(limits.file_bytes)
                    .read_to_end(&mut file)
                    .map_err(broken)?;
                writer.file(path, &file)?;
            }
            EntryType::Regular | EntryType::Continuous => writer.note(path, EntryKind::Large, size)?,
            EntryType::Symlink | EntryType::Link => writer.note(path, EntryKind::Link, 0)?,
            _ => writer.skip_odd_name()?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::*;
    use crate::manager::repo::{Limits, Snapshot};

    fn packed(fill: impl FnOnce(&mut tar::Builder<GzEncoder<Vec<u8>>>)) -> Vec<u8> {
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        fill(&mut builder);
        builder.into_inner().unwrap().finish().unwrap()
    }

    fn put(builder: &mut tar::Builder<GzEncoder<Vec<u8>>>, name: &str, kind: EntryType, content: &[u8]) {
        let mut header = tar::Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        if kind.is_symlink() {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        builder.append(&header, content).unwrap();
    }

    fn unpacked(content: &[u8], limits: Limits) -> Result<Snapshot, SourceError> {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = SnapshotWriter::new(folder.path(), limits)?;
        unpack(content, &mut writer)?;
        let before = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(before, 1, "nothing but the contents was written");
        Ok(writer.finish()?)
    }

    #[test]
    fn s67_hostile_archives_have_no_effect() {
        let content = packed(|builder| {
            put(builder, "package/src/index.js", EntryType::Regular, b"one");
            put(builder, "package/../../escape.js", EntryType::Regular, b"x");
            put(builder, "/etc/cron.d/x", EntryType::Regular, b"x");
            put(builder, "package/link.js", EntryType::Symlink, b"");
            put(
                builder,
                "package/link.js",
                EntryType::Regular,
                b"through the link",
            );
            put(builder, "package/pipe", EntryType::Fifo, b"");
        });
        let snapshot = unpacked(&content, Limits::default()).unwrap();
        let names: Vec<(&str, EntryKind)> = snapshot
            .entries()
            .map(|(path, entry)| (path, entry.kind))
            .collect();
        assert_eq!(
            names,
            [
                ("etc/cron.d/x", EntryKind::Text),
                ("link.js", EntryKind::Link),
                ("src/index.js", EntryKind::Text)
            ]
        );
        assert_eq!(snapshot.odd_names(), 2);
    }

    #[test]
    fn s67_bombs_are_stopped() {
        let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
        let mut header = tar::Header::new_gnu();
        header.set_path("package/a.js").unwrap();
        header.set_size(64 << 20);
        header.set_cksum();
        bomb.write_all(header.as_bytes()).unwrap();
        bomb.write_all(&vec![b'x'; 64 << 20]).unwrap();
        let content = bomb.finish().unwrap();
        assert!(content.len() < 1 << 20);
        let limits = Limits {
            total_bytes: 1 << 20,
            ..Limits::default()
        };
        assert!(
            unpacked(&content, limits)
                .unwrap_err()
                .to_string()
                .contains("CLONE_MAX_MB")
        );
        assert!(
            unpacked(b"no archive", Limits::default())
                .unwrap_err()
                .to_string()
                .contains("not a readable")
        );
    }
}
