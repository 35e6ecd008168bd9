//! A digest of what matters in a namespace's folder.

use std::io;

use sha2::{Digest as _, Sha256};

use super::{
    manifest, packages,
    tree::{Folder, Kind},
};
use crate::hex;

/// Bytes a Python file may have. The runtime, which loads the files, takes no larger ones either.
const MAX_FILE: u64 = 4 << 20;
/// Python files a namespace may have.
const MAX_FILES: usize = 2000;
/// Folders inside each other.
const MAX_DEPTH: usize = 16;

/// SHA-256 over the contents of all Python files, the manifest and what names packages, with their names; `seen` sees every file
/// on the way.
///
/// Times and other files do not count, so that a touched or copied folder is the same one. Of a Python file that cannot be taken (a
/// link, a pipe, one that is too large or may not be read) the name counts alone: the runtime leaves it out and reports it.
pub(super) fn digest(folder: &Folder, seen: &mut dyn FnMut(&str, &[u8])) -> io::Result<String> {
    let mut walk = Walk {
        hash: Sha256::new(),
        files: 0,
        seen,
    };
    for (name, limit) in [(manifest::FILE, MAX_FILE)].into_iter().chain(packages::FILES) {
        if let Some(bytes) = folder.read(name, limit)? {
            (walk.seen)(name, &bytes);
            walk.add(name, &bytes);
        }
    }
    walk.folder(folder, "", MAX_DEPTH)?;
    Ok(hex(&walk.hash.finalize()))
}

struct Walk<'a> {
    hash: Sha256,
    files: usize,
    seen: &'a mut dyn FnMut(&str, &[u8]),
}

impl Walk<'_> {
    fn add(&mut self, name: &str, bytes: &[u8]) {
        self.hash.update(format!("{name}\0{}\0", bytes.len()));
        self.hash.update(bytes);
    }

    fn add_left_out(&mut self, name: &str) {
        // No file has this length.
        self.hash.update(format!("{name}\0-\0"));
    }

    fn folder(&mut self, folder: &Folder, prefix: &str, depth: usize) -> io::Result<()> {
        for (name, kind) in folder.entries()? {
            if name.starts_with('.') || name == "__pycache__" {
                continue;
            }
            let path = format!("{prefix}{name}");
            match kind {
                Kind::Folder if depth > 0 => {
                    // It may have gone away, or may not be ours to read.
                    if let Ok(inside) = folder.folder(&name) {
                        self.folder(&inside, &format!("{path}/"), depth - 1)?;
                    }
                }
                Kind::File if name.ends_with(".py") => {
                    self.files += 1;
                    if self.files > MAX_FILES {
                        let text = format!(
                            "it holds more than {MAX_FILES} Python files, the most a namespace may have"
                        );
                        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
                    }
                    match folder.read(&name, MAX_FILE) {
                        Ok(Some(bytes)) => {
                            (self.seen)(&path, &bytes);
                            self.add(&path, &bytes);
                        }
                        // It went away meanwhile.
                        Ok(None) => {}
                        Err(_) => self.add_left_out(&path),
                    }
                }
                Kind::Other if name.ends_with(".py") => self.add_left_out(&path),
                _ => {}
            }
        }
        Ok(())
    }
}
