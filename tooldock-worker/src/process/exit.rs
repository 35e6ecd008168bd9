//! How a process ended.

use std::{os::unix::process::ExitStatusExt as _, process::ExitStatus};

use tooldock_engine::NamespaceName;

use crate::output::OutputLog;

/// How a process ended. `Display` is safe for callers: "exit code 7", "signal 11, Fatal Python error: Segmentation fault".
#[derive(Debug)]
pub(crate) struct Exit {
    status: Option<ExitStatus>,
    fatal: Option<String>,
    last_words: Vec<String>,
}

impl Exit {
    /// What `status` and the output say together.
    pub(super) fn read(status: Option<ExitStatus>, output: &OutputLog) -> Self {
        // Only what a signal ended was ended by what Python calls fatal.
        let by_signal = status.is_some_and(|status| status.signal().is_some());
        Self {
            status,
            fatal: output.fatal().filter(|_| by_signal),
            last_words: output.last_words(),
        }
    }

    /// Whether it was killed, which a process cannot do by a fault of its own.
    pub(crate) fn is_killed(&self) -> bool {
        self.status.and_then(|status| status.signal()) == Some(9)
    }

    /// Tells the operator what the process said last. Callers are not told: it may be from the call of another one.
    pub(crate) fn log(&self, namespace: &NamespaceName) {
        if !self.last_words.is_empty() {
            let last_words = self.last_words.join(" | ");
            tracing::warn!(%namespace, exit = %self, last_words, "what the ended worker said last");
        }
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.status.map(|status| (status.code(), status.signal())) {
            Some((Some(code), _)) => write!(f, "exit code {code}")?,
            Some((_, Some(signal))) => write!(f, "signal {signal}")?,
            _ => f.write_str("unknown exit status")?,
        }
        self.fatal.iter().try_for_each(|fatal| write!(f, ", {fatal}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{LogStream, LogTail};

    #[test]
    fn callers_hear_of_the_fatal_signal_and_of_nothing_else_that_was_printed() {
        let output = OutputLog::new("demo".parse().unwrap(), LogTail::default());
        output.say(LogStream::Stderr, "", b"a secret");
        output.say(LogStream::Stderr, "7", b"Fatal Python error: printed by a call");
        output.say(LogStream::Stderr, "", b"Fatal Python error: Segmentation fault");
        for _ in 0..100 {
            output.say(LogStream::Stderr, "", b"  File \"t.py\", line 1 in f");
        }
        let exit = |raw| Exit::read(Some(ExitStatus::from_raw(raw)), &output).to_string();
        assert_eq!(exit(11), "signal 11, Fatal Python error: Segmentation fault");
        assert_eq!(exit(7 << 8), "exit code 7");
    }
}
