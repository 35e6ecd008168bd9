//! One edit, from the first look at the sheet to the write or the end without one.

use std::{
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use zeroize::Zeroizing;

use super::{Desk, EditError, Places, sheet};
use crate::{
    atomic,
    store::{Contents, Locked, Store, StoreError},
};

/// Bytes the sheet may have: more than fits into the store.
const MAX_SHEET: usize = 8 << 20;
/// The name of the sheet; editors know by its end how to show it.
const SHEET: &str = "secrets.yaml";

/// One edit. The store is locked, and everything plain is wiped, for as long as this lives and when it ends.
///
/// ```
/// # use tooldock_secrets::{EditSession, Edited, Key, Keys, Places, Scope, Store};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let store = Store::new(folder.path(), Keys::new(Key::new(b"from the operator's safe".to_vec())?));
/// # let store = store.with_kdf(tooldock_secrets::testing::QUICK);
/// let edit = EditSession::begin(&store, &Places::default().or_disk("/tmp"))?;
/// // A person does this with an editor:
/// std::fs::write(edit.path(), "global:\n  GITHUB_TOKEN: hunter2\n")?;
/// assert_eq!(edit.save()?, Edited::Changed);
/// assert_eq!(store.read()?.get(&Scope::Global, "GITHUB_TOKEN").unwrap().expose(), "hunter2");
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct EditSession<'a> {
    // Dropped in this order: wiped first, unlocked then.
    desk: Desk,
    locked: Locked<'a>,
}

/// What became of the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// It says what the store says.
    Unchanged,
    /// It says something else.
    Changed,
}

impl<'a> EditSession<'a> {
    /// Wipes what killed edits left, locks the store and writes a sheet for an editor.
    ///
    /// # Errors
    /// As [`Store::lock`], [`Store::read`] and [`Desk::new`].
    pub fn begin(store: &'a Store, places: &Places) -> Result<Self, EditError> {
        Desk::sweep_on(&*store.disk, places);
        let locked = store.lock()?;
        let contents = locked.read()?;
        let session = Self {
            desk: Desk::on(Arc::clone(&store.disk), places)?,
            locked,
        };
        let path = session.path();
        atomic::write(&*store.disk, &path, &sheet::write(&contents)).map_err(|source| EditError::Io {
            action: "write",
            path,
            source,
        })?;
        Ok(session)
    }

    /// The sheet.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.desk.folder().join(SHEET)
    }

    /// The private folder that the sheet lies in; everything in it is wiped at the end.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.desk.folder()
    }

    /// Stores what the sheet says now, if that changes anything. It can be edited again afterwards.
    ///
    /// # Errors
    /// [`EditError::Sheet`] when it breaks a rule. Others when it cannot be read, and as [`Locked::write`].
    pub fn save(&self) -> Result<Edited, EditError> {
        let old = self.locked.read()?;
        let new = self.contents()?;
        if old.payload == new.payload && old.entries() == new.entries() {
            return Ok(Edited::Unchanged);
        }
        self.locked.write(new).map_err(|error| match error {
            StoreError::Name(rule) => EditError::Sheet(rule),
            error => error.into(),
        })?;
        Ok(Edited::Changed)
    }

    fn contents(&self) -> Result<Contents, EditError> {
        let path = self.path();
        let failed = |source| EditError::Io {
            action: "read",
            path: path.clone(),
            source,
        };
        // An editor may have put another file there: not a link, and none with a second name elsewhere.
        let about = path.symlink_metadata().map_err(failed)?;
        if about.is_file() && about.nlink() > 1 {
            return Err(EditError::Sheet(
                "the sheet has a second name; save it as a file of its own".to_owned(),
            ));
        }
        let bytes = self.locked.store.disk.read(&path, MAX_SHEET).map_err(failed)?;
        let bytes = Zeroizing::new(bytes.ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))?);
        let text =
            str::from_utf8(&bytes).map_err(|_| EditError::Sheet("this is no UTF-8 text".to_owned()))?;
        let mut contents = self.locked.read()?;
        sheet::read(text, &mut contents).map_err(EditError::Sheet)?;
        Ok(contents)
    }
}
