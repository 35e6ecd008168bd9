//! The few operations on files that the store needs, behind a trait, so that tests can make each of them fail.

use std::{
    fmt::Debug,
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::Path,
};

use rustix::fs::OFlags;

/// What the store does with files. Each call is one operation that can fail.
pub trait Disk: Debug + Send + Sync {
    /// The content of a regular file, never through a link; `None` when it is not there.
    ///
    /// # Errors
    /// What the system says, and [`FileTooLarge`](io::ErrorKind::FileTooLarge) when it has more than `most` bytes.
    fn read(&self, path: &Path, most: usize) -> io::Result<Option<Vec<u8>>>;

    /// Makes a file that only its owner may read.
    ///
    /// # Errors
    /// What the system says, and an error when something is there already.
    fn create(&self, path: &Path) -> io::Result<File>;

    /// Writes some of `bytes`, and says how many.
    ///
    /// # Errors
    /// What the system says.
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize>;

    /// Waits until the file is on the disk.
    ///
    /// # Errors
    /// What the system says.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// Gives a file another name in the same folder; what has that name is replaced in the same instant.
    ///
    /// # Errors
    /// What the system says.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Waits until the names in a folder are on the disk.
    ///
    /// # Errors
    /// What the system says.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Removes a file, if it is there.
    ///
    /// # Errors
    /// What the system says.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Writes zeros over the first `length` bytes of a file, never through a link.
    ///
    /// # Errors
    /// What the system says.
    fn overwrite(&self, path: &Path, length: u64) -> io::Result<()>;

    /// Makes a folder that only its owner may use.
    ///
    /// # Errors
    /// What the system says, and an error when something is there already.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty folder.
    ///
    /// # Errors
    /// What the system says.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;

    /// Locks a file, which is made if it is not there, for as long as the result lives; `None` when somebody else has it.
    /// Programs that are started meanwhile do not get hold of it.
    ///
    /// # Errors
    /// What the system says.
    fn lock(&self, path: &Path) -> io::Result<Option<File>>;
}

/// The disk of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn read(&self, path: &Path, most: usize) -> io::Result<Option<Vec<u8>>> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = match options(flags).read(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "this is no regular file",
            ));
        }
        let mut bytes = Vec::new();
        let length = file.take(most as u64 + 1).read_to_end(&mut bytes)?;
        if length > most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(Some(bytes))
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        options(OFlags::NOFOLLOW)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)
    }

    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }

    fn overwrite(&self, path: &Path, length: u64) -> io::Result<()> {
        let mut file = options(OFlags::NOFOLLOW).write(true).open(path)?;
        io::copy(&mut io::repeat(0).take(length), &mut file).map(drop)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Option<File>> {
        let mut open = options(OFlags::NOFOLLOW | OFlags::NONBLOCK);
        let file = open
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

fn options(flags: OFlags) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.custom_flags(flags.bits().cast_signed());
    options
}
