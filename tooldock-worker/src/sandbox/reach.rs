//! Which files a worker can reach.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What every program needs of a system: programs, libraries, certificates, names of hosts and users, the time zone, what the
/// kernel tells everybody. What is not there is left out.
const SYSTEM: &[&str] = &[
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/sbin",
    "/usr",
    "/nix/store",
    "/proc", // memory, environment and descriptors of others in it are closed by the sandbox itself
    "/sys/block",
    "/sys/class",
    "/sys/devices",
    "/sys/fs/cgroup",
    "/run/NetworkManager",
    "/run/resolvconf",
    "/run/systemd/resolve",
    "/var/lib/ca-certificates",
    "/etc/alternatives",
    "/etc/bash.bashrc",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/debian_version",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/gitconfig",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/lsb-release",
    "/etc/machine-id",
    // Each place where Python looks for types of files: one that is there and closed is an error.
    "/etc/apache/mime.types",
    "/etc/apache2/mime.types",
    "/etc/httpd/conf/mime.types",
    "/etc/httpd/mime.types",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/pki",
    "/etc/profile",
    "/etc/profile.d",
    "/etc/protocols",
    "/etc/redhat-release",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl",
    "/etc/terminfo",
    "/etc/timezone",
];

/// Devices that read and take anything.
const DEVICES: &[&str] = &[
    "/dev/full",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// Where shared memory and semaphores have their names.
const SHARED: &str = "/dev/shm";

/// Which files a worker can reach.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reach {
    /// What it may read and run.
    pub read: Vec<PathBuf>,
    /// What it may list, not read.
    pub list: Vec<PathBuf>,
    /// What it may write as well.
    pub write: Vec<PathBuf>,
}

impl Reach {
    /// What every worker can reach.
    pub(crate) fn of_system() -> Self {
        Self {
            read: SYSTEM.iter().map(PathBuf::from).collect(),
            ..Self::default()
        }
    }

    /// Devices, which are read and written and nothing else.
    pub(super) fn devices() -> &'static [&'static str] {
        DEVICES
    }

    /// A folder in which what has a name that is known can be opened, and nothing can be listed.
    pub(super) fn shared() -> &'static str {
        SHARED
    }

    /// Adds `folder` to what is read, but for what lies in `closed`, which may be inside of it.
    pub(crate) fn read_around(&mut self, folder: &Path, closed: &Path) {
        if !closed.starts_with(folder) {
            self.read.push(folder.to_owned());
            return;
        }
        self.list.push(folder.to_owned());
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries.map(|entry| entry.path()) {
            if entry != closed {
                self.read_around(&entry, closed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_closed_inside_of_a_folder_stays_closed() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["a", "b/data", "b/c"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        let mut reach = Reach::default();
        reach.read_around(root.path(), &path("b/data"));
        reach.read.sort();
        assert_eq!(reach.read, [path("a"), path("b/c")]);
        assert_eq!(reach.list, [root.path().to_owned(), path("b")]);
        let mut reach = Reach::default();
        reach.read_around(&path("a"), &path("b/data"));
        assert_eq!((reach.read, reach.list), (vec![path("a")], vec![]));
        let mut reach = Reach::default();
        reach.read_around(&path("b/data"), &path("b/data"));
        assert_eq!(reach.read, Vec::<PathBuf>::new());
    }
}
