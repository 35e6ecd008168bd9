//! What matters in a namespace's folder, as it was at one moment.

use std::{collections::BTreeMap, io};

use super::{digest::digest, tree::Folder};

/// What matters in a namespace's folder, as it was at one moment: Python files at any depth, what names packages, the manifest.
///
/// ```
/// use tooldock_worker::disk::{Folder, FolderVersion};
/// let place = tempfile::tempdir()?;
/// let folder = Folder::open(place.path())?;
/// folder.replace("a.py", b"1")?;
/// let version = FolderVersion::read(&folder)?;
/// folder.replace("a.py", b"2")?;
/// folder.replace("b.py", b"3")?;
/// folder.replace("notes.txt", b"kept")?;
/// version.put(&folder)?;
/// assert_eq!(FolderVersion::read(&folder)?, version);
/// assert!(folder.read("notes.txt", 9)?.is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FolderVersion {
    /// The same digest as that of the [`NamespaceFolder`](super::NamespaceFolder).
    pub digest: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl FolderVersion {
    /// Reads a folder. It blocks.
    ///
    /// # Errors
    /// When it holds too many files, or cannot be read.
    pub fn read(folder: &Folder) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        let digest = digest(folder, &mut |path, bytes| {
            files.insert(path.to_owned(), bytes.to_vec());
        })?;
        Ok(Self { digest, files })
    }

    /// Brings a folder into this state; files of other kinds stay. Each file changes as a whole, one after the other. It blocks.
    ///
    /// # Errors
    /// Whatever the system says; part of the files may be changed then.
    pub fn put(&self, folder: &Folder) -> io::Result<()> {
        for path in Self::read(folder)?.files.keys() {
            if !self.files.contains_key(path) {
                let (inside, name) = enter(folder, path)?;
                inside.as_ref().unwrap_or(folder).remove(name)?;
            }
        }
        for (path, bytes) in &self.files {
            let (inside, name) = enter(folder, path)?;
            inside.as_ref().unwrap_or(folder).replace(name, bytes)?;
        }
        Ok(())
    }
}

/// The folder that a path leads into, made where it is missing, and the name in it; no folder for a bare name.
fn enter<'a>(folder: &Folder, path: &'a str) -> io::Result<(Option<Folder>, &'a str)> {
    let Some((way, name)) = path.rsplit_once('/') else {
        return Ok((None, path));
    };
    let mut inside: Option<Folder> = None;
    for step in way.split('/') {
        let outer = inside.as_ref().unwrap_or(folder);
        let next = outer.folder(step).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => outer.make_folder(step),
            _ => Err(error),
        });
        inside = Some(next?);
    }
    Ok((inside, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_files_come_back_and_new_ones_go() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let package = folder
            .make_folder("package")
            .unwrap()
            .make_folder("deep")
            .unwrap();
        package.replace("one.py", b"1").unwrap();
        folder.replace("requirements.txt", b"rich\n").unwrap();
        let version = FolderVersion::read(&folder).unwrap();
        std::fs::remove_dir_all(place.path().join("package")).unwrap();
        folder
            .make_folder("other")
            .unwrap()
            .replace("two.py", b"2")
            .unwrap();
        folder.replace("requirements.txt", b"httpx\n").unwrap();
        version.put(&folder).unwrap();
        assert_eq!(FolderVersion::read(&folder).unwrap(), version);
        assert!(
            place.path().join("package/deep/one.py").is_file() && !place.path().join("other/two.py").exists()
        );
    }
}
