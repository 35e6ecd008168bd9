//! The folder of the files: what of it is ours, and for how long.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use super::day::Day;

/// Makes the folder, for its owner only, if it is not there.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// The files of ours, the oldest first: regular files that are called after a day. Links are none of ours.
pub(super) fn files(folder: &Path) -> io::Result<Vec<(Day, PathBuf)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let day = entry.file_name().to_str().and_then(Day::named);
        if let (Some(day), true) = (day, entry.file_type()?.is_file()) {
            files.push((day, entry.path()));
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Removes the files of ours that are older than `oldest`.
pub(super) fn tidy(folder: &Path, oldest: Day) -> io::Result<()> {
    for (_, path) in files(folder)?.into_iter().filter(|(day, _)| *day < oldest) {
        fs::remove_file(&path)?;
        tracing::info!(file = %path.display(), "a file of the audit log was older than LOG_RETENTION_DAYS and is gone");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn s106_only_old_files_of_ours_are_removed_and_no_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let kept = [
            "2026-11-20.jsonl",
            "2026-01-01.jsonl.gz",
            "notes-2026-01-01.jsonl",
            "2026-13-01.jsonl",
        ];
        for name in kept.iter().chain(&["2026-11-18.jsonl", "2025-12-31.jsonl"]) {
            fs::write(at(name), "x").unwrap();
        }
        fs::create_dir(at("2026-01-02.jsonl")).unwrap();
        fs::write(at("target"), "x").unwrap();
        symlink(at("target"), at("2026-01-03.jsonl")).unwrap();
        tidy(folder.path(), Day::named("2026-11-19.jsonl").unwrap()).unwrap();
        for name in kept
            .iter()
            .chain(&["2026-01-02.jsonl", "2026-01-03.jsonl", "target"])
        {
            assert!(at(name).exists(), "{name}");
        }
        assert!(!at("2026-11-18.jsonl").exists() && !at("2025-12-31.jsonl").exists());
    }
}
