//! The files that are checked: everything that git follows or would follow, as text.

use std::fs;

use crate::program::Program;
use crate::workshop::Workshop;

/// One text file of the repository.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its path below the root.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

impl Source {
    /// The end of its name after the last dot.
    pub(crate) fn extension(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Whether it holds tests only.
    pub(crate) fn is_test(&self) -> bool {
        self.path
            .split('/')
            .any(|part| part == "tests" || part == "tests.rs")
    }
}

/// All text files. Lock files are left out: their content is not ours.
pub(crate) fn files(shop: &Workshop) -> Result<Vec<Source>, String> {
    let listed = Program::new(shop, "git")
        .words("ls-files --cached --others --exclude-standard")
        .read()?;
    let ours = listed
        .lines()
        .filter(|path| !path.ends_with(".lock") && !path.ends_with("package-lock.json"));
    let read = |path: &str| Some((path.to_owned(), fs::read_to_string(shop.root.join(path)).ok()?));
    Ok(ours
        .filter_map(read)
        .map(|(path, text)| Source { path, text })
        .collect())
}
