//! Changing what is below a folder: nothing is written through a link, and a file is the old or the new one.

use std::{
    fs::File,
    io::{self, Write as _},
};

use rustix::{
    fs::{AtFlags, Gid, Mode, OFlags, RenameFlags, Uid},
    io::Errno,
};

use super::{Folder, INSIDE, Kind, single};

/// Folders inside each other that are removed with the outermost.
const MAX_DEPTH: usize = 64;

impl Folder {
    /// Makes a folder right inside this one.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) when something of this name is there, and whatever the system says.
    pub fn make_folder(&self, name: &str) -> io::Result<Self> {
        rustix::fs::mkdirat(&self.0, single(name)?, Mode::from_raw_mode(0o755))?;
        self.folder(name)
    }

    /// Puts a file in the place of whatever has this name, as a whole; a link is replaced and not followed. It is written beside it, under
    /// a name that no loader looks at, so of two writers at once one is refused.
    ///
    /// # Errors
    /// Whatever the system says; the old file is then still there.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let aside = format!(".{}.new", single(name)?);
        // A killed writer left it.
        self.unlink(&aside, AtFlags::empty())?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | INSIDE;
        let file = rustix::fs::openat(&self.0, &*aside, flags, Mode::from_raw_mode(0o644))?;
        let mut file = File::from(file);
        let written = file
            .write_all(bytes)
            .and_then(|()| file.sync_all())
            .and_then(|()| Ok(rustix::fs::renameat(&self.0, &*aside, &self.0, name)?));
        if written.is_err() {
            // What it failed with is what counts.
            self.unlink(&aside, AtFlags::empty()).ok();
        }
        written.and_then(|()| self.sync())
    }

    /// Gives everything below this folder, and then the folder itself, to a user and the group of the same number. Links are not followed,
    /// and a file with a second name stays whose it is.
    ///
    /// # Errors
    /// Whatever the system says; part of it may have been given then.
    pub(crate) fn give(&self, owner: u32) -> io::Result<()> {
        let (user, group) = (Some(Uid::from_raw(owner)), Some(Gid::from_raw(owner)));
        for (name, kind) in self.entries()? {
            match kind {
                Kind::Folder => self.folder(&name)?.give(owner)?,
                Kind::File => {
                    let file = rustix::fs::openat(&self.0, &*name, OFlags::RDONLY | INSIDE, Mode::empty())?;
                    // What was looked at by its name may be something else by now.
                    if rustix::fs::fstat(&file)?.st_nlink == 1 {
                        rustix::fs::fchown(&file, user, group)?;
                    }
                }
                Kind::Other => {}
            }
        }
        Ok(rustix::fs::fchown(&self.0, user, group)?)
    }

    /// Gives a file or a folder right inside this one another name.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) when the other name is taken, [`NotFound`](io::ErrorKind::NotFound), and whatever
    /// the system says.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        rustix::fs::renameat_with(
            &self.0,
            single(from)?,
            &self.0,
            single(to)?,
            RenameFlags::NOREPLACE,
        )?;
        self.sync()
    }

    /// Removes a file or a link right inside this one; says whether there was one.
    ///
    /// # Errors
    /// Whatever the system says; of a folder that it is one.
    pub fn remove(&self, name: &str) -> io::Result<bool> {
        let removed = self.unlink(name, AtFlags::empty())?;
        self.sync()?;
        Ok(removed)
    }

    /// Removes a folder right inside this one with all that is in it. Links are removed, never followed.
    ///
    /// # Errors
    /// When it holds more than 64 folders inside each other, and whatever the system says; part of it may be gone then.
    pub fn remove_folder(&self, name: &str) -> io::Result<()> {
        self.remove_below(name, MAX_DEPTH)?;
        self.sync()
    }

    fn remove_below(&self, name: &str, depth: usize) -> io::Result<()> {
        if depth == 0 {
            let text = format!("`{name}` lies below more than {MAX_DEPTH} folders; remove it by hand");
            return Err(io::Error::other(text));
        }
        let inside = self.folder(name)?;
        for (name, kind) in inside.entries()? {
            match kind {
                Kind::Folder => inside.remove_below(&name, depth - 1)?,
                Kind::File | Kind::Other => drop(inside.unlink(&name, AtFlags::empty())?),
            }
        }
        self.unlink(name, AtFlags::REMOVEDIR).map(drop)
    }

    /// Whether there was something to remove.
    fn unlink(&self, name: &str, flags: AtFlags) -> io::Result<bool> {
        match rustix::fs::unlinkat(&self.0, single(name)?, flags) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes names last.
    fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.0)?)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn s58_nothing_is_reached_through_links() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let kept = outside.path().join("kept.py");
        fs::write(&kept, "kept").unwrap();
        let folder = Folder::open(inside.path()).unwrap();
        let path = |name: &str| inside.path().join(name);
        symlink(&kept, path("link.py")).unwrap();
        symlink(&kept, path(".link.py.new")).unwrap();
        assert!(folder.read("link.py", 100).is_err());
        folder.replace("link.py", b"new").unwrap();
        assert_eq!(fs::read(path("link.py")).unwrap(), b"new");
        assert!(!path("link.py").is_symlink() && !path(".link.py.new").exists());

        fs::create_dir_all(path("gone/deep")).unwrap();
        symlink(outside.path(), path("gone/deep/out")).unwrap();
        fs::hard_link(&kept, path("gone/second.py")).unwrap();
        folder.remove_folder("gone").unwrap();
        assert!(!path("gone").exists());
        symlink(outside.path(), path("whole")).unwrap();
        assert!(folder.remove_folder("whole").is_err(), "a link is no folder");
        assert_eq!(fs::read(&kept).unwrap(), b"kept");

        for name in ["", ".", "..", "a/b", "../kept.py", "a\0b"] {
            assert!(
                folder.read(name, 9).is_err() && folder.replace(name, b"x").is_err(),
                "{name:?}"
            );
            assert!(
                folder.remove(name).is_err() && folder.make_folder(name).is_err(),
                "{name:?}"
            );
        }
    }

    #[test]
    fn a_name_that_is_taken_stays_what_it_was() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        folder.replace("a.py", b"a").unwrap();
        folder.replace("b.py", b"b").unwrap();
        let refused = folder.rename("a.py", "b.py").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(folder.read("b.py", 9).unwrap().unwrap(), b"b");
        assert!(folder.make_folder("b.py").is_err());
        assert!(folder.remove("b.py").unwrap() && !folder.remove("b.py").unwrap());
    }
}
