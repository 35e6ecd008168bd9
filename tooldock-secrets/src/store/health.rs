//! Whether the files are as they should be.

use std::os::unix::fs::MetadataExt as _;

use super::{LOCK_FILE, META_FILE, SECRETS_FILE, Store};
use crate::atomic;

/// What a look at the files found. Each line is a finding with its remedy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// What is wrong.
    pub findings: Vec<String>,
}

impl Store {
    /// Looks at owners, permissions, leftovers and content, and changes nothing.
    #[must_use]
    pub fn examine(&self) -> Health {
        let mut findings = Vec::new();
        let user = rustix::process::geteuid().as_raw();
        for file in [SECRETS_FILE, META_FILE, LOCK_FILE] {
            let path = self.path(file);
            let Ok(about) = path.symlink_metadata() else {
                continue;
            };
            let shown = path.display();
            if !about.is_file() {
                findings.push(format!("`{shown}` is no regular file; move it away"));
            } else if about.uid() != user {
                findings.push(format!(
                    "`{shown}` belongs to user {}, this is user {user}; give it to one of them",
                    about.uid()
                ));
            } else if about.mode() & 0o077 != 0 {
                findings.push(format!(
                    "others may use `{shown}` (mode {:o}); chmod 600 it",
                    about.mode() & 0o777
                ));
            }
        }
        for file in [SECRETS_FILE, META_FILE] {
            let aside = atomic::aside(&self.path(file));
            if aside.symlink_metadata().is_ok_and(|about| !about.is_dir()) {
                findings.push(format!(
                    "`{}` is left from a killed command; the next writer removes it",
                    aside.display()
                ));
            }
        }
        match self.read() {
            Err(error) => findings.push(error.to_string()),
            Ok(contents) => {
                if let Some(mistake) = contents.meta_mistake() {
                    let shown = self.path(META_FILE);
                    findings.push(format!(
                        "`{}` cannot be read ({mistake}); the next writer replaces it",
                        shown.display()
                    ));
                }
                if contents.by_previous_key() {
                    findings.push(
                        "`secrets.enc` is still sealed with the previous key; run `secrets rekey`".to_owned(),
                    );
                }
            }
        }
        Health { findings }
    }
}
