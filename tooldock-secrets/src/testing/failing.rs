//! A disk that fails on purpose.

use std::{
    fs::File,
    io,
    path::Path,
    sync::{Mutex, PoisonError},
};

use crate::disk::{Disk, RealDisk};

/// What happens at the chosen operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing: operations are counted only.
    None,
    /// It fails with this number of the system, once.
    Error(i32),
    /// A write takes one byte only, once; other operations are as usual.
    Short,
    /// It is done, and nothing reaches the disk after it: as if the program were killed there.
    KilledAfter,
    /// Half of a write is done, and nothing reaches the disk after it.
    KilledIn,
}

/// The real disk, on which the operation of a chosen number goes wrong. Nothing is waited for to be flushed: what a killed program has
/// written is there all the same.
#[derive(Debug)]
pub struct Failing {
    at: usize,
    fault: Fault,
    tried: Mutex<Vec<String>>,
}

impl Failing {
    /// Lets the operation number `at`, counted from 0, go wrong.
    #[must_use]
    pub fn new(at: usize, fault: Fault) -> Self {
        Self {
            at,
            fault,
            tried: Mutex::default(),
        }
    }

    /// What was tried so far, in order: the operation and the names of its files.
    #[must_use]
    pub fn operations(&self) -> Vec<String> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Passes, or goes wrong. Says whether this is the chosen operation.
    fn step(&self, operation: &str, paths: &[&Path]) -> io::Result<bool> {
        let names = paths.iter().filter_map(|path| path.file_name());
        let told = names.fold(operation.to_owned(), |told, name| {
            format!("{told} {}", name.display())
        });
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        let number = tried.len();
        tried.push(told);
        let dead = || io::Error::other("the program is dead");
        match self.fault {
            Fault::Error(code) if number == self.at => Err(io::Error::from_raw_os_error(code)),
            Fault::KilledAfter | Fault::KilledIn if number > self.at => Err(dead()),
            _ => Ok(number == self.at),
        }
    }
}

impl Disk for Failing {
    fn read(&self, path: &Path, most: usize) -> io::Result<Option<Vec<u8>>> {
        self.step("read", &[path])?;
        RealDisk.read(path, most)
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        self.step("create", &[path])?;
        RealDisk.create(path)
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        let chosen = self.step("write", &[])?;
        match self.fault {
            Fault::Short if chosen => RealDisk.write(file, &bytes[..1]),
            Fault::KilledIn if chosen => RealDisk.write(file, &bytes[..bytes.len() / 2]),
            _ => RealDisk.write(file, bytes),
        }
    }

    fn sync(&self, _file: &File) -> io::Result<()> {
        self.step("sync", &[]).map(drop)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step("rename", &[from, to])?;
        RealDisk.rename(from, to)
    }

    fn sync_folder(&self, _folder: &Path) -> io::Result<()> {
        self.step("sync_folder", &[]).map(drop)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step("remove", &[path])?;
        RealDisk.remove(path)
    }

    fn overwrite(&self, path: &Path, length: u64) -> io::Result<()> {
        self.step("overwrite", &[path])?;
        RealDisk.overwrite(path, length)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step("create_folder", &[path])?;
        RealDisk.create_folder(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step("remove_folder", &[path])?;
        RealDisk.remove_folder(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Option<File>> {
        self.step("lock", &[path])?;
        RealDisk.lock(path)
    }
}
