//! One child process of a step: its output is either kept for the day it fails, or shown as it comes.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::workshop::{Workshop, told};

/// How many of the last lines of a failed program are shown.
const TAIL_LINES: usize = 200;

/// A command of a step.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    workshop: &'a Workshop,
    command: Command,
}

impl<'a> Program<'a> {
    /// `program` in the root of the repository; nothing is started yet.
    pub(crate) fn new(workshop: &'a Workshop, program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.current_dir(&workshop.root).stdin(Stdio::null());
        Self { workshop, command }
    }

    /// The cargo that runs this program.
    pub(crate) fn cargo(workshop: &'a Workshop) -> Self {
        Self::new(workshop, workshop.cargo())
    }

    /// Arguments, parted by white space.
    pub(crate) fn words(mut self, words: &str) -> Self {
        self.command.args(words.split_whitespace());
        self
    }

    /// One argument, taken as it is.
    pub(crate) fn word(mut self, word: impl AsRef<OsStr>) -> Self {
        self.command.arg(word);
        self
    }

    /// The folder to run in, below the root.
    pub(crate) fn folder(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(self.workshop.root.join(folder));
        self
    }

    /// Sets an environment variable of the child.
    pub(crate) fn set(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs with the output captured; a failure shows its last lines.
    pub(crate) fn run(mut self) -> Result<(), String> {
        let log = self.workshop.folder.join("logs/last.log");
        let file = File::create(&log).map_err(|error| told(&log, &error))?;
        let copy = file.try_clone().map_err(|error| told(&log, &error))?;
        self.command.stdout(file).stderr(copy);
        self.wait().map_err(|failure| {
            let text = std::fs::read(&log).unwrap_or_default();
            format!("{}\n{failure}", tail(&String::from_utf8_lossy(&text)))
        })
    }

    /// Runs with the output going where ours goes.
    pub(crate) fn show(self) -> Result<(), String> {
        self.wait()
    }

    /// Runs and returns what came on standard output, without white space around it.
    pub(crate) fn read(mut self) -> Result<String, String> {
        let output = self.command.output().map_err(|error| self.unstarted(&error))?;
        if !output.status.success() {
            let told = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{told}\n`{}` failed: {}", self.line(), output.status));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn wait(mut self) -> Result<(), String> {
        let status = self.command.status().map_err(|error| self.unstarted(&error))?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("`{}` failed: {status}", self.line()))
        }
    }

    fn unstarted(&self, error: &std::io::Error) -> String {
        format!("`{}` could not be started: {error}", self.line())
    }

    /// The command as one would type it.
    fn line(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
    }
}

/// The last lines of a text.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shows_the_output_and_the_command() {
        let workshop = Workshop::open().unwrap();
        let program = Program::new(&workshop, "sh").word("-c").word("echo why; exit 3");
        let failure = program.run().unwrap_err();
        assert!(failure.starts_with("why\n"), "{failure}");
        assert!(
            failure.contains("`sh -c echo why; exit 3` failed: exit status: 3"),
            "{failure}"
        );
    }

    #[test]
    fn a_missing_program_is_named() {
        let workshop = Workshop::open().unwrap();
        let failure = Program::new(&workshop, "no-such-program-here")
            .show()
            .unwrap_err();
        assert!(
            failure.contains("`no-such-program-here` could not be started"),
            "{failure}"
        );
    }
}
