//! What was printed last, kept for operators.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::Deserialize;

/// Lines that are kept.
const MOST_LINES: usize = 1000;

/// Where a printed line came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LogStream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl LogStream {
    /// `stdout` or `stderr`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}

impl fmt::Display for LogStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One line that a process of a namespace printed. For operators: it may hold whatever a tool prints.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogLine {
    /// When it arrived, in milliseconds since 1970.
    pub time_ms: u64,
    /// Where it was printed to.
    pub stream: LogStream,
    /// The id of the request whose call printed it; none when it was printed outside a call.
    pub request_id: Option<String>,
    /// The line without its end, at most 8 KiB; control characters are spelled out.
    pub text: String,
}

/// The last lines of a namespace, whichever of its processes printed them. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct LogTail(Arc<Mutex<VecDeque<LogLine>>>);

impl LogTail {
    fn lines(&self) -> MutexGuard<'_, VecDeque<LogLine>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line and forgets the oldest beyond 1,000.
    pub(super) fn push(&self, stream: LogStream, request_id: &str, text: &str) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let line = LogLine {
            time_ms: since.as_millis().try_into().unwrap_or(u64::MAX),
            stream,
            request_id: Some(request_id.to_owned()).filter(|id| !id.is_empty()),
            text: text.to_owned(),
        };
        let mut lines = self.lines();
        if lines.len() == MOST_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// The last `count` lines, newest last.
    pub(crate) fn last(&self, count: usize) -> Vec<LogLine> {
        let lines = self.lines();
        lines
            .range(lines.len().saturating_sub(count)..)
            .cloned()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_thousand_lines_are_kept() {
        let tail = LogTail::default();
        for number in 0..MOST_LINES + 5 {
            tail.push(LogStream::Stdout, "", &number.to_string());
        }
        let all = tail.last(usize::MAX);
        assert_eq!((all.len(), all[0].text.as_str()), (MOST_LINES, "5"));
        let two: Vec<String> = tail.last(2).into_iter().map(|line| line.text).collect();
        assert_eq!(two, ["1003", "1004"]);
        assert!(tail.last(0).is_empty());
    }
}
