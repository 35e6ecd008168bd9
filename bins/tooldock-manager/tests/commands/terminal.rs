//! A terminal for the program: what it shows is kept, what a person types is sent.

use std::{
    fs::{File, OpenOptions},
    io::{ErrorKind, Read as _, Write as _},
    process::{Child, Command, ExitStatus},
};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

/// A program at a terminal.
pub(crate) struct Terminal {
    child: Child,
    master: File,
    line: File,
    shown: String,
}

impl Terminal {
    pub(crate) fn start(mut command: Command) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let path = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let line = OpenOptions::new().read(true).write(true).open(path).unwrap();
        let end = || line.try_clone().unwrap();
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        Self {
            child,
            master: master.into(),
            line,
            shown: String::new(),
        }
    }

    /// Reads until `text` is shown.
    pub(crate) fn expect(&mut self, text: &str) -> &mut Self {
        let mut bytes = [0; 1024];
        while !self.shown.contains(text) {
            let count = self.master.read(&mut bytes).unwrap();
            self.shown.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        self
    }

    pub(crate) fn send(&mut self, typed: impl AsRef<[u8]>) -> &mut Self {
        self.master.write_all(typed.as_ref()).unwrap();
        self
    }

    pub(crate) fn signal(&mut self, signal: Signal) -> &mut Self {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self
    }

    /// Waits for the end; gives all that was shown, and whether the terminal shows again what is typed.
    pub(crate) fn end(mut self) -> (String, ExitStatus) {
        let status = self.child.wait().unwrap();
        let modes = tcgetattr(&self.line).unwrap().local_modes;
        assert!(
            modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG),
            "the terminal is left silent"
        );
        drop(self.line);
        let mut rest = Vec::new();
        match self.master.read_to_end(&mut rest) {
            Ok(_) => {}
            // So a terminal says that nobody is at the other side any more.
            Err(error) => assert!(error.kind() != ErrorKind::Interrupted, "{error}"),
        }
        self.shown.push_str(&String::from_utf8_lossy(&rest));
        (self.shown.replace("\r\n", "\n"), status)
    }
}
