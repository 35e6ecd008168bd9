//! What was found of the tokens, the key and the secrets of a gateway outside of it.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::canaries::Marks;
use crate::processes::workers;

/// The file of the operator in the data folder of a gateway, which holds tokens and a key.
const OF_THE_OPERATOR: &str = "dev.env";
/// Folders there that installers fill, who are given no secret: tens of thousands of files of others.
const INSTALLED: [&str; 2] = ["cache", "venvs"];
/// The folder there to whose files every gateway adds.
const LOGS: &str = "logs";
/// Bytes of a file that are looked at together, and those that are looked at with the next ones too: no mark is as long.
const PIECE: u64 = 8 << 20;
const OVERLAP: usize = 64 << 10;
/// Bytes of answers that are kept to be looked at in the end.
const MOST_HEARD: usize = 16 << 20;
/// How far times of files are behind.
const COARSE: Duration = Duration::from_secs(1);

/// What was found of one program. Its parts are looked at when it ends.
#[derive(Debug)]
pub struct Evidence {
    marks: Marks,
    own: Vec<&'static str>,
    began: SystemTime,
    /// Where logs ended at the begin, to which others have written before.
    ends: HashMap<PathBuf, u64>,
    found: Mutex<Vec<String>>,
    heard: Mutex<Vec<Vec<u8>>>,
}

impl Evidence {
    /// Begins to look for the marks of a gateway.
    #[must_use]
    pub fn of_a_gateway() -> Self {
        Self::of(Marks::of_gateways()).without(&[OF_THE_OPERATOR])
    }

    /// Begins to look for `marks`. Files that are older are of others.
    #[must_use]
    pub fn of(marks: Marks) -> Self {
        Self {
            marks,
            own: Vec::new(),
            began: SystemTime::now() - COARSE,
            ends: HashMap::new(),
            found: Mutex::default(),
            heard: Mutex::default(),
        }
    }

    /// Begins to look for the tokens and the key that `dev` made for itself in `data_folder`, also in files written since `began`.
    ///
    /// # Panics
    ///
    /// When it has made none.
    #[must_use]
    pub fn of_dev(data_folder: &Path, began: SystemTime) -> Self {
        let made = fs::read_to_string(data_folder.join(OF_THE_OPERATOR)).expect("`dev` has made its file");
        let marks: Vec<(&str, &str)> = made
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once('='))
            .collect();
        assert!(!marks.is_empty(), "it has no token");
        Self {
            began,
            ..Self::of(Marks::new(&marks)).without(&[OF_THE_OPERATOR])
        }
    }

    /// Leaves files of these names out, which hold marks because the operator, or the test, has put them there.
    #[must_use]
    pub fn without(mut self, own: &[&'static str]) -> Self {
        self.own.extend(own);
        self
    }

    /// Leaves out what stands already in the logs of `data_folder`, to which gateways only ever add.
    #[must_use]
    pub fn behind_logs_of(mut self, data_folder: &Path) -> Self {
        let logs = fs::read_dir(data_folder.join(LOGS))
            .into_iter()
            .flatten()
            .flatten();
        let ends = logs.filter_map(|log| Some((log.path(), log.metadata().ok()?.len())));
        self.ends.extend(ends);
        self
    }

    /// Looks at what was written to a file since the begin, piece by piece: an hour of calls leaves gigabytes of them in the audit log.
    fn search_file(&self, path: &Path) -> std::io::Result<()> {
        let mut file = File::open(path)?;
        let end = self.ends.get(path).copied().unwrap_or_default();
        let begin = if end <= file.metadata()?.len() { end } else { 0 };
        file.seek(SeekFrom::Start(begin))?;
        let mut piece = Vec::new();
        while file.by_ref().take(PIECE).read_to_end(&mut piece)? > 0 {
            self.look(&piece, &format_args!("the file `{}`", path.display()));
            piece.drain(..piece.len().saturating_sub(OVERLAP));
        }
        Ok(())
    }

    /// Notes that `place` holds `mark`.
    fn found(&self, mark: &str, place: &dyn Display) {
        lock(&self.found).push(format!("{place} holds {mark}"));
    }

    /// Fails the test if something was found, unless it has failed already.
    ///
    /// # Panics
    ///
    /// When something was found, with a line for each place.
    pub fn settle(&self) {
        self.search_answers();
        let found = std::mem::take(&mut *lock(&self.found)).join("\n");
        if !std::thread::panicking() {
            assert!(found.is_empty(), "a secret, token or key has leaked:\n{found}");
        }
    }

    /// Keeps an answer to be looked at in the end, as a test may be measuring how long answers take. The same again is kept once.
    pub fn hear(&self, answer: Vec<u8>) {
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
    fn search_answers(&self) {
        for answer in std::mem::take(&mut *lock(&self.heard)) {
            self.look(
                &answer,
                &format_args!("the answer `{}`", String::from_utf8_lossy(&answer)),
            );
        }
    }

    fn look(&self, bytes: &[u8], place: &dyn Display) {
        if let Some(mark) = self.marks.find(bytes) {
            self.found(mark, place);
        }
    }

    fn is_of_others(&self, name: &OsStr) -> bool {
        self.own.iter().chain(&INSTALLED).any(|known| name == *known)
    }

    /// Looks at a command line.
    pub fn search_line(&self, pid: u32) {
        let line = show(pid, "cmdline");
        self.look(&line, &format_args!("the command line `{}`", words(&line)));
    }

    /// Looks at a start environment. A process that shuts others out shows none.
    pub fn search_environment(&self, pid: u32) {
        let line = show(pid, "cmdline");
        let place = format!("the environment of `{}`", words(&line));
        self.look(&show(pid, "environ"), &place);
    }

    /// Looks at the command lines and the start environments of a core and of its workers.
    pub fn search_processes(&self, core: u32) {
        for pid in std::iter::once(core).chain(workers(core)) {
            self.search_line(pid);
            self.search_environment(pid);
        }
    }

    /// Looks at every file in `places` that was written since the begin, names included.
    pub fn search_files(&self, places: &[&Path]) {
        let mut left = places
            .iter()
            .map(|place| place.to_path_buf())
            .collect::<Vec<PathBuf>>();
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
                let others = entries.filter(|entry| !self.is_of_others(&entry.file_name()));
                left.extend(others.map(|entry| entry.path()));
            } else if about.is_file() && about.modified().is_ok_and(|time| time >= self.began) {
                // What goes away meanwhile, or cannot be read, holds nothing for others.
                self.search_file(&path).ok();
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the system shows of a process.
fn show(pid: u32, file: &str) -> Vec<u8> {
    fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default()
}

fn words(line: &[u8]) -> String {
    String::from_utf8_lossy(line).replace('\0', " ")
}
