//! The folders in which tools keep things, and the users they belong to.

use std::{
    collections::BTreeSet,
    fs::{self, DirBuilder, File, Permissions},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use rustix::process::geteuid;
use tooldock_engine::NamespaceName;

use super::UserRange;
use crate::disk::Folder;

/// What its tools keep of a namespace, and who they are.
#[derive(Debug)]
pub(crate) struct Home {
    pub folder: PathBuf,
    /// The user whose processes run its tools; `None` is the gateway's own.
    pub user: Option<u32>,
}

/// The homes below a data folder. Who owns a home is the record of whose user a namespace has.
#[derive(Debug)]
pub(crate) struct Homes<'a> {
    folder: PathBuf,
    users: Option<&'a UserRange>,
}

impl<'a> Homes<'a> {
    /// The homes below `data_dir`. Each gets one of `users`, where this process may give users away.
    pub(crate) fn below(data_dir: &Path, users: Option<&'a UserRange>) -> Self {
        Self {
            folder: data_dir.join("homes"),
            users: users.filter(|_| geteuid().is_root()),
        }
    }

    /// The home of a namespace; made unless it is there, private.
    pub(crate) fn of(&self, namespace: &NamespaceName) -> io::Result<Home> {
        let folder = self.folder.join(namespace.as_str());
        make_folder(&self.folder, PASSABLE)?;
        // Gateways that share the data folder for a moment take turns.
        let turn = File::open(&self.folder)?;
        turn.lock()?;
        make_folder(&folder, PRIVATE)?;
        let owner = fs::symlink_metadata(&folder)?.uid();
        let user = self.users.map(|users| self.choose(users, owner)).transpose()?;
        let wanted = user.unwrap_or_else(|| geteuid().as_raw());
        if owner != wanted && geteuid().is_root() {
            Folder::open(&self.folder)?
                .folder(namespace.as_str())?
                .give(wanted)?;
        }
        Ok(Home { folder, user })
    }

    /// The user of a home that belongs to `owner`: him, or the first of `users` who has none yet.
    fn choose(&self, users: &UserRange, owner: u32) -> io::Result<u32> {
        if users.contains(owner) {
            return Ok(owner);
        }
        let homes = fs::read_dir(&self.folder)?.flatten();
        let taken: BTreeSet<u32> = homes
            .filter_map(|home| Some(home.metadata().ok()?.uid()))
            .collect();
        let free = users.numbers().find(|user| !taken.contains(user));
        free.ok_or_else(|| {
            let text = format!(
                "each user of WORKER_USERS (`{users}`) has a home in `{}`; name more users, or remove homes of namespaces that are gone",
                self.folder.display()
            );
            io::Error::other(text)
        })
    }
}

/// For its owner alone.
pub(super) const PRIVATE: u32 = 0o700;
/// What has a name that is known can be reached; nothing can be listed.
pub(super) const PASSABLE: u32 = 0o711;

/// Makes a folder with these rights; one that is there gets what it lacks of them.
pub(super) fn make_folder(folder: &Path, rights: u32) -> io::Result<()> {
    match DirBuilder::new().mode(rights).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let found = fs::symlink_metadata(folder)?;
            // A link would lead elsewhere.
            if !found.is_dir() {
                let text = format!("`{}` is no folder; move it away", folder.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, text));
            }
            let now = found.permissions().mode() & 0o777;
            if now & rights == rights {
                return Ok(());
            }
            fs::set_permissions(folder, Permissions::from_mode(now | rights))
        }
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{chown, symlink};

    use super::*;

    const ROOT_ONLY: &str = "only root can give files away: run this test as root";

    fn rights(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_home_is_private_and_no_link() {
        let data = tempfile::tempdir().unwrap();
        let homes = Homes::below(data.path(), None);
        let demo = "demo".parse().unwrap();
        let home = homes.of(&demo).unwrap();
        assert_eq!((rights(&home.folder), home.user), (0o700, None));
        assert_eq!(homes.of(&demo).unwrap().folder, home.folder);
        symlink("/etc", data.path().join("homes/linked")).unwrap();
        let error = homes.of(&"linked".parse().unwrap()).unwrap_err();
        assert!(
            error.to_string().ends_with("is no folder; move it away"),
            "{error}"
        );
    }

    #[test]
    fn s82_each_namespace_keeps_a_user_of_its_own() {
        assert!(geteuid().is_root(), "{ROOT_ONLY}");
        let data = tempfile::tempdir().unwrap();
        let users: UserRange = "64300-64301".parse().unwrap();
        let homes = Homes::below(data.path(), Some(&users));
        let user = |name: &str| homes.of(&name.parse().unwrap()).map(|home| home.user);
        assert_eq!(user("one").unwrap(), Some(64300));
        assert_eq!(user("two").unwrap(), Some(64301));
        assert_eq!(
            user("one").unwrap(),
            Some(64300),
            "it is the same at the next start"
        );
        let error = user("three").unwrap_err().to_string();
        assert!(error.contains("WORKER_USERS (`64300-64301`)"), "{error}");
        assert_eq!(
            rights(&data.path().join("homes")),
            0o711,
            "others pass, and see no names"
        );
    }

    #[test]
    fn s82_what_a_home_holds_changes_hands_with_it_and_nothing_beyond_does() {
        assert!(geteuid().is_root(), "{ROOT_ONLY}");
        let data = tempfile::tempdir().unwrap();
        let (users, demo) = ("64300-64301".parse().unwrap(), "demo".parse().unwrap());
        let home = Homes::below(data.path(), None).of(&demo).unwrap().folder;
        let beyond = data.path().join("beyond");
        fs::write(&beyond, "").unwrap();
        fs::create_dir(home.join("deep")).unwrap();
        fs::write(home.join("deep/kept"), "").unwrap();
        symlink(&beyond, home.join("link")).unwrap();
        fs::hard_link(&beyond, home.join("name")).unwrap();
        let owner = |path: &Path| fs::metadata(path).unwrap().uid();
        Homes::below(data.path(), Some(&users)).of(&demo).unwrap();
        for inside in [home.clone(), home.join("deep"), home.join("deep/kept")] {
            assert_eq!(owner(&inside), 64300, "{}", inside.display());
        }
        assert_eq!(owner(&beyond), 0);
        chown(home.join("deep"), Some(64301), None).unwrap();
        Homes::below(data.path(), None).of(&demo).unwrap();
        assert_eq!((owner(&home), owner(&home.join("deep"))), (0, 0), "and back");
    }
}
