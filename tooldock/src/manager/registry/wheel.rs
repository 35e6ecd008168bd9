//! Unpacks a wheel into a snapshot.

use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use crate::manager::repo::{EntryKind, SnapshotWriter, SourceError, plain_path};

/// Copies the files of a wheel.
pub(super) fn unpack(content: &[u8], writer: &mut SnapshotWriter) -> Result<(), SourceError> {
    let broken = || SourceError::Archive("the archive is not a readable wheel".to_owned());
    let mut archive = ZipArchive::new(Cursor::new(content)).map_err(|_| broken())?;
    let limits = writer.limits();
    if archive.len() > limits.entries {
        return Err(writer.too_many());
    }
    let mut left = limits.total_bytes;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|_| broken())?;
        if entry.is_dir() {
            continue;
        }
        let name = entry.name_raw().to_vec();
        let Some(path) = plain_path(&name) else {
            writer.skip_odd_name()?;
            continue;
        };
        if entry.is_symlink() {
            writer.note(path, EntryKind::Link, 0)?;
            continue;
        }
        // What a header says about sizes is its author's word; what is read is counted.
        let mut file = Vec::new();
        (&mut entry)
            .take(limits.file_bytes + 1)
            .read_to_end(&mut file)
            .map_err(|_| broken())?;
        left = left
            .checked_sub(file.len() as u64)
            .ok_or_else(|| writer.too_large())?;
        writer.file(path, &file)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;
    use crate::manager::repo::Limits;

    #[test]
    fn s67_hostile_wheels_have_no_effect() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in [
            ("server/main.py", b"x".as_slice()),
            ("../../escape.py", b"x"),
            ("/etc/x", b"x"),
            ("bomb.py", &vec![b'x'; 8 << 20]),
        ] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.add_symlink("link.py", "/etc/passwd", SimpleFileOptions::default())
            .unwrap();
        let content = zip.finish().unwrap().into_inner();
        let folder = tempfile::tempdir().unwrap();
        let mut writer = SnapshotWriter::new(folder.path(), Limits::default()).unwrap();
        unpack(&content, &mut writer).unwrap();
        let snapshot = writer.finish().unwrap();
        let names: Vec<(&str, EntryKind)> = snapshot
            .entries()
            .map(|(path, entry)| (path, entry.kind))
            .collect();
        assert_eq!(
            names,
            [
                ("bomb.py", EntryKind::Large),
                ("link.py", EntryKind::Link),
                ("server/main.py", EntryKind::Text)
            ]
        );
        assert_eq!(snapshot.odd_names(), 2);
    }
}
