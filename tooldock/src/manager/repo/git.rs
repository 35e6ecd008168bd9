//! The `git` program, with everything off that reads or runs something of the machine or of a repository.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::Stdio,
};

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tokio::process::{Child, Command};
use tooldock_worker::ProcessGroup;

/// Memory that one process of git may fill, in bytes.
const MEMORY: u64 = 1 << 30;

/// Settings of every run: no transport but HTTPS, no redirect, no stored credentials, no hooks, objects checked.
const RULES: &[&str] = &[
    "protocol.allow=never",
    "protocol.https.allow=always",
    "http.followRedirects=false",
    "http.proxy=",
    "http.emptyAuth=false",
    "credential.helper=",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.fsmonitor=false",
    "core.symlinks=false",
    "core.bigFileThreshold=8m",
    "transfer.fsckObjects=true",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// Its whole environment but path, home and certificates.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", "false"),
    ("SSH_ASKPASS", "false"),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_ALLOW_PROTOCOL", "https"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_LFS_SKIP_SMUDGE", "1"),
    ("LC_ALL", "C"),
];

/// How git is run: where programs are, and which certificates it trusts.
#[derive(Debug, Clone)]
pub(super) struct Git {
    pub(super) search_path: String,
    pub(super) certificates: Option<PathBuf>,
}

/// A run of git. Dropping it kills the process and everything that it has started.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) child: Child,
    pub(super) group: ProcessGroup,
}

impl Git {
    /// Starts git with a home folder that is its own, and with its two outputs piped.
    pub(super) fn start<S: Into<OsString>>(
        &self,
        home: &Path,
        input: Stdio,
        rules: &[String],
        args: impl IntoIterator<Item = S>,
    ) -> std::io::Result<Run> {
        let mut command = Command::new("git");
        command
            .env_clear()
            .envs(ENVIRONMENT.iter().copied())
            .env("PATH", &self.search_path)
            .env("HOME", home)
            .current_dir(home)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        if let Some(file) = &self.certificates {
            command.env("GIT_SSL_CAINFO", file);
        }
        for rule in RULES.iter().copied().chain(rules.iter().map(String::as_str)) {
            command.arg("-c").arg(rule);
        }
        let child = command.args(args.into_iter().map(Into::into)).spawn()?;
        let group = ProcessGroup::of(child.id());
        limit_memory(&child);
        Ok(Run { child, group })
    }
}

/// A hostile pack can ask for any amount. What the child starts later inherits the limit; a child that has ended needs none.
fn limit_memory(child: &Child) {
    let id = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let most = Some(MEMORY);
    if let Some(id) = id {
        let _ = prlimit(
            Some(id),
            Resource::Data,
            Rlimit {
                current: most,
                maximum: most,
            },
        );
    }
}
