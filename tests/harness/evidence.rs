//! What was found of the tokens, the key and the secrets of a gateway outside of it.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::canaries::mark_in;
use crate::processes::children;

/// Files of the operator in the data folder, which hold tokens and a key.
const OWN: [&str; 1] = ["dev.env"];
/// Folders there that installers fill, who are given no secret: tens of thousands of files of others.
const INSTALLED: [&str; 2] = ["cache", "venvs"];
/// Bytes of files that are looked at. No test writes as much.
const MOST: u64 = 256 << 20;
/// Bytes of answers that are kept to be looked at in the end.
const MOST_HEARD: usize = 16 << 20;
/// How far times of files are behind.
const COARSE: Duration = Duration::from_secs(1);
/// What the program of a worker and of what stands above it is called in their command lines.
const WORKER: &[u8] = b"--namespace\0";

/// What was found of one gateway. Its parts are looked at when it ends.
#[derive(Debug)]
pub(crate) struct Evidence {
    began: SystemTime,
    found: Mutex<Vec<String>>,
    heard: Mutex<Vec<Vec<u8>>>,
}

impl Evidence {
    /// Begins: files that are older are of other gateways.
    pub(crate) fn new() -> Self {
        Self {
            began: SystemTime::now() - COARSE,
            found: Mutex::default(),
            heard: Mutex::default(),
        }
    }

    /// Notes that `place` holds `mark`.
    fn found(&self, mark: &str, place: &dyn Display) {
        lock(&self.found).push(format!("{place} holds {mark}"));
    }

    /// All that was found, a line each.
    pub(crate) fn take(&self) -> String {
        std::mem::take(&mut *lock(&self.found)).join("\n")
    }

    /// Keeps an answer to be looked at in the end, as a test may be measuring how long answers take. The same again is kept once.
    pub(crate) fn hear(&self, answer: Vec<u8>) {
        let mut heard = lock(&self.heard);
        if heard.last() == Some(&answer) {
            return;
        }
        heard.push(answer);
        let bytes: usize = heard.iter().map(Vec::len).sum();
        drop(heard);
        if bytes > MOST_HEARD {
            self.search_answers();
        }
    }

    /// Looks at the answers, heads included.
    pub(crate) fn search_answers(&self) {
        for answer in std::mem::take(&mut *lock(&self.heard)) {
            self.look(
                &answer,
                &format_args!("the answer `{}`", String::from_utf8_lossy(&answer)),
            );
        }
    }

    fn look(&self, bytes: &[u8], place: &dyn Display) {
        if let Some(mark) = mark_in(bytes) {
            self.found(mark, place);
        }
    }

    /// Looks at the command lines and the start environments of a core and its workers. A process that shuts others out shows nothing.
    pub(crate) fn search_processes(&self, core: u32) {
        let mut others: Vec<u32> = children(core);
        // The workers are below those who watch over them.
        others.extend(others.clone().into_iter().flat_map(children));
        for pid in std::iter::once(core).chain(others) {
            let read = |name: &str| fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
            let line = read("cmdline");
            if pid == core || line.windows(WORKER.len()).any(|part| part == WORKER) {
                let shown = String::from_utf8_lossy(&line).replace('\0', " ");
                self.look(&line, &format_args!("the command line `{shown}`"));
                self.look(&read("environ"), &format_args!("the environment of `{shown}`"));
            }
        }
    }

    /// Looks at every file in `places` that was written since the begin, names included.
    pub(crate) fn search_files(&self, places: &[&Path]) {
        let mut left = places
            .iter()
            .map(|place| place.to_path_buf())
            .collect::<Vec<PathBuf>>();
        let mut bytes = 0;
        while let Some(path) = left.pop() {
            let Ok(about) = path.symlink_metadata() else {
                continue;
            };
            self.look(
                path.as_os_str().as_encoded_bytes(),
                &format_args!("the name `{}`", path.display()),
            );
            if about.is_dir() {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                let others = entries.filter(|entry| !is_of_others(&entry.file_name()));
                left.extend(others.map(|entry| entry.path()));
            } else if about.is_file() && about.modified().is_ok_and(|time| time >= self.began) {
                bytes += about.len();
                assert!(bytes <= MOST, "the tests write more than can be looked through");
                let content = fs::read(&path).unwrap_or_default();
                self.look(&content, &format_args!("the file `{}`", path.display()));
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_of_others(name: &std::ffi::OsStr) -> bool {
    OWN.iter().chain(&INSTALLED).any(|known| name == *known)
}
