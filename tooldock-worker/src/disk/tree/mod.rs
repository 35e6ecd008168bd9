//! Reading and writing below a folder without ever leaving it: no links are followed, only regular files of one name are read.

mod write;

use std::{
    ffi::{CStr, OsStr},
    fs::File,
    io::{self, Read as _},
    os::{fd::OwnedFd, unix::ffi::OsStrExt as _},
    path::Path,
};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};

/// An open folder. Everything below it is reached from its descriptor, one component at a time, so that whoever may change the folder
/// cannot lead a reader or a writer out of it. Names are single components; every method blocks.
///
/// ```
/// use tooldock_worker::disk::Folder;
/// let place = tempfile::tempdir()?;
/// let folder = Folder::open(place.path())?;
/// folder.replace("hello.py", b"print('hello')")?;
/// assert_eq!(folder.read("hello.py", 1024)?.as_deref(), Some(&b"print('hello')"[..]));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Folder(OwnedFd);

/// What an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file with one name.
    File,
    /// A folder.
    Folder,
    /// A link, a pipe, a device, or a file with a second name.
    Other,
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const INSIDE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

impl Folder {
    /// Opens a folder by a path that the operator gave; that path itself may lead through links.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, FOLDER, Mode::empty())?))
    }

    /// Opens a folder right inside this one.
    ///
    /// # Errors
    /// When it is a link or no folder, and whatever the system says.
    pub fn folder(&self, name: &str) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(
            &self.0,
            single(name)?,
            FOLDER | INSIDE,
            Mode::empty(),
        )?))
    }

    /// What is inside, sorted by name; names that are no UTF-8 are shown as far as possible and are `Other`.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn entries(&self) -> io::Result<Vec<(String, Kind)>> {
        let mut entries = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            let text = OsStr::from_bytes(name.to_bytes());
            let kind = if text.to_str().is_some() {
                self.kind(name)?
            } else {
                Kind::Other
            };
            entries.push((text.to_string_lossy().into_owned(), kind));
        }
        entries.sort();
        Ok(entries)
    }

    fn kind(&self, name: &CStr) -> io::Result<Kind> {
        let stat = match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            // It went away meanwhile.
            Err(rustix::io::Errno::NOENT) => return Ok(Kind::Other),
            Err(error) => return Err(error.into()),
        };
        Ok(match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => Kind::Folder,
            FileType::RegularFile if stat.st_nlink == 1 => Kind::File,
            _ => Kind::Other,
        })
    }

    /// Reads a file right inside this folder, up to `limit` bytes. `None` when there is no such file.
    ///
    /// # Errors
    /// When it is larger, is no regular file or has a second name, and whatever the system says.
    pub fn read(&self, name: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let file = match rustix::fs::openat(&self.0, single(name)?, OFlags::RDONLY | INSIDE, Mode::empty()) {
            Ok(file) => file,
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Err(rustix::io::Errno::LOOP) => return Err(irregular(name)),
            Err(error) => return Err(error.into()),
        };
        let stat = rustix::fs::fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || stat.st_nlink != 1 {
            return Err(irregular(name));
        }
        let mut bytes = Vec::new();
        File::from(file).take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            let text = format!(
                "`{name}` is larger than {} KiB, the most it may have",
                limit >> 10
            );
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        Ok(Some(bytes))
    }
}

impl Folder {
    /// Reads a file as [`read`](Self::read) does, as text.
    ///
    /// # Errors
    /// As `read`, and when it is no UTF-8.
    pub fn text(&self, name: &str, limit: u64) -> io::Result<Option<String>> {
        let text = self.read(name, limit)?.map(String::from_utf8).transpose();
        text.map_err(|_| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("`{name}` is not UTF-8; save it as UTF-8"),
            )
        })
    }
}

/// Refuses a name that would lead somewhere else.
fn single(name: &str) -> io::Result<&str> {
    if matches!(name, "" | "." | "..") || name.contains(['/', '\0']) {
        let text = format!("`{}` is no single name", name.escape_debug());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok(name)
}

fn irregular(name: &str) -> io::Error {
    let text = format!("`{name}` is a link, a pipe or a file with a second name; put a regular file there");
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::unix::fs::symlink,
        sync::{
            atomic::{AtomicBool, Ordering},
            mpsc,
        },
        thread,
        time::{Duration, Instant},
    };

    use super::*;

    /// Reads in a thread of its own: a pipe that nobody writes to would keep a reader that waits for ever.
    fn read_in_time(folder: &Path, name: &'static str) -> io::Result<Option<Vec<u8>>> {
        let (folder, (told, read)) = (Folder::open(folder).unwrap(), mpsc::sync_channel(1));
        thread::spawn(move || told.send(folder.read(name, 100)));
        let waited = read.recv_timeout(Duration::from_secs(10));
        waited.expect("it waits for a writer")
    }

    #[test]
    fn s56_only_regular_files_with_one_name_are_read_and_listed_as_such() {
        let inside = tempfile::tempdir().unwrap();
        let path = |name: &str| inside.path().join(name);
        fs::write(path("file"), "mine").unwrap();
        fs::write(path("twin"), "theirs").unwrap();
        fs::hard_link(path("twin"), path("other")).unwrap();
        fs::create_dir(path("folder")).unwrap();
        symlink(path("file"), path("link")).unwrap();
        let pipe = std::process::Command::new("mkfifo").arg(path("pipe")).status();
        assert!(pipe.unwrap().success());
        let folder = Folder::open(inside.path()).unwrap();
        let listed = folder.entries().unwrap();
        let kinds: Vec<(&str, Kind)> = listed.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
        assert_eq!(
            kinds,
            [
                ("file", Kind::File),
                ("folder", Kind::Folder),
                ("link", Kind::Other),
                ("other", Kind::Other),
                ("pipe", Kind::Other),
                ("twin", Kind::Other),
            ]
        );
        assert_eq!(folder.read("file", 100).unwrap().as_deref(), Some(&b"mine"[..]));
        for name in ["folder", "link", "other", "pipe", "twin"] {
            let error = read_in_time(inside.path(), name).expect_err(name);
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}: {error}");
        }
    }

    #[test]
    fn s57_a_file_that_becomes_a_link_at_any_moment_is_not_followed() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let kept = outside.path().join("kept.py");
        fs::write(&kept, "not for you").unwrap();
        let (file, aside) = (inside.path().join("a.py"), inside.path().join("b.py"));
        let (stop, folder) = (AtomicBool::new(false), Folder::open(inside.path()).unwrap());
        thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    symlink(&kept, &aside).ok();
                    fs::rename(&aside, &file).ok();
                    fs::write(&aside, "mine").ok();
                    fs::rename(&aside, &file).ok();
                }
            });
            let end = Instant::now() + Duration::from_secs(2);
            let mut read = Vec::new();
            while Instant::now() < end && read != b"not for you" {
                read = folder.read("a.py", 100).ok().flatten().unwrap_or_default();
            }
            stop.store(true, Ordering::Relaxed);
            assert_ne!(read, b"not for you");
        });
    }
}
