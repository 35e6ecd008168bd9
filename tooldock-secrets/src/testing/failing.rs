//! A disk that fails on purpose.

use std::{
    fs::File,
    io,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
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

/// The real disk, on which the operation of a chosen number goes wrong.
#[derive(Debug)]
pub struct Failing {
    at: usize,
    fault: Fault,
    done: AtomicUsize,
}

impl Failing {
    /// Lets the operation number `at`, counted from 0, go wrong.
    #[must_use]
    pub fn new(at: usize, fault: Fault) -> Self {
        Self {
            at,
            fault,
            done: AtomicUsize::new(0),
        }
    }

    /// How many operations there were.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.done.load(Ordering::SeqCst)
    }

    /// Passes, or goes wrong. Says whether this is the chosen operation.
    fn step(&self) -> io::Result<bool> {
        let number = self.done.fetch_add(1, Ordering::SeqCst);
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
        self.step().and_then(|_| RealDisk.read(path, most))
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        self.step().and_then(|_| RealDisk.create(path))
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        let chosen = self.step()?;
        match self.fault {
            Fault::Short if chosen => RealDisk.write(file, &bytes[..1]),
            Fault::KilledIn if chosen => RealDisk.write(file, &bytes[..bytes.len() / 2]),
            _ => RealDisk.write(file, bytes),
        }
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.step().and_then(|_| RealDisk.sync(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step().and_then(|_| RealDisk.rename(from, to))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step().and_then(|_| RealDisk.sync_folder(folder))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step().and_then(|_| RealDisk.remove(path))
    }

    fn lock(&self, path: &Path) -> io::Result<Option<File>> {
        self.step().and_then(|_| RealDisk.lock(path))
    }
}
