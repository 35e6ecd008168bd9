//! The Python runtime that this crate carries, and its place on disk.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use sha2::{Digest as _, Sha256};

use crate::hex;

/// The files of the runtime by their path.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));
/// The file that starts it.
const ENTRY: &str = "__main__.py";

/// A digest of all files, which names the runtime's folder.
pub(crate) static DIGEST: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for (name, text) in FILES {
        hash.update(format!("{name}\0{}\0", text.len()));
        hash.update(text);
    }
    hex(&hash.finalize()[..16])
});

/// Puts the runtime below `data_dir` unless it is there, and gives the file that starts it.
///
/// The folder appears in one step and complete. One that was damaged is replaced.
pub(crate) fn install(data_dir: &Path) -> io::Result<PathBuf> {
    let parent = data_dir.join("runtime");
    let folder = parent.join(&*DIGEST);
    let intact =
        |(name, text): &(&str, &str)| fs::read(folder.join(name)).is_ok_and(|found| found == text.as_bytes());
    if FILES.iter().all(intact) {
        return Ok(folder.join(ENTRY));
    }
    fs::create_dir_all(&parent)?;
    // Others may be at the same: the lock is held while the files are written and no longer.
    let lock = File::create(parent.join(".lock"))?;
    lock.lock()?;
    if !FILES.iter().all(intact) {
        let aside = tempfile::Builder::new().prefix(".new-").tempdir_in(&parent)?;
        for (name, text) in FILES {
            write(&aside.path().join(name), text)?;
        }
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::set_permissions(aside.path(), fs::Permissions::from_mode(0o755))?;
        fs::rename(aside.path(), &folder)?;
    }
    Ok(folder.join(ENTRY))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o444))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_at_once_do_not_disturb_each_other() {
        let data = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            let started: Vec<_> = (0..8).map(|_| scope.spawn(|| install(data.path()))).collect();
            for install in started {
                assert!(install.join().unwrap().unwrap().is_file());
            }
        });
    }

    #[test]
    fn the_runtime_is_written_once_and_repaired() {
        let data = tempfile::tempdir().unwrap();
        let entry = install(data.path()).unwrap();
        let written = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        let first = written(&entry);
        assert!(fs::metadata(&entry).unwrap().permissions().readonly());
        assert_eq!(
            (install(data.path()).unwrap(), written(&entry)),
            (entry.clone(), first)
        );
        fs::remove_file(&entry).unwrap();
        fs::write(&entry, "raise SystemExit(1)").unwrap();
        install(data.path()).unwrap();
        assert!(fs::read_to_string(&entry).unwrap().contains("tooldock_worker"));
        let left = fs::read_dir(data.path().join("runtime")).unwrap();
        let hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(".new-");
        assert_eq!(
            left.filter(|entry| hidden(entry.as_ref().unwrap())).count(),
            0,
            "half-written"
        );
    }
}
