//! What a worker prints: bounded, rate-limited, escaped, told to the log and kept for operators.

mod excerpt;
mod tail;

use std::{
    borrow::Cow,
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    time::Instant,
};
use tooldock_engine::{NamespaceName, secret::Redactor};

pub use self::tail::{LogLine, LogStream};
pub(crate) use self::{
    excerpt::{keep_end, keep_start, pieces},
    tail::LogTail,
};

/// Bytes of a line that are kept.
const MAX_LINE: usize = 8 << 10;
/// Bytes of a line that are read, so that no secret is cut in two before it was looked for.
const MAX_READ: usize = 256 << 10;
/// Lines that one worker may print in one [`WINDOW`].
const LINES_PER_WINDOW: u32 = 500;
const WINDOW: Duration = Duration::from_secs(5);
/// Lines kept for the report of a crash.
const LAST_WORDS: usize = 20;
/// How the line begins that Python prints before a fatal signal ends it; the stacks of all threads follow.
const FATAL: &str = "Fatal Python error: ";
/// Characters of that line that are kept.
const MAX_FATAL: usize = 200;

/// Where everything goes that one worker prints. Clones are the same log.
#[derive(Debug, Clone)]
pub(crate) struct OutputLog {
    namespace: NamespaceName,
    tail: LogTail,
    redactor: Option<Arc<dyn Redactor>>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    window: Instant,
    lines: u32,
    last_words: VecDeque<String>,
    fatal: Option<String>,
}

impl OutputLog {
    /// The log of one process, whose lines also go to `tail`.
    pub(crate) fn new(namespace: NamespaceName, tail: LogTail) -> Self {
        let state = State {
            window: Instant::now(),
            lines: 0,
            last_words: VecDeque::new(),
            fatal: None,
        };
        Self {
            namespace,
            tail,
            redactor: None,
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Takes what `redactor` knows out of every line.
    pub(crate) fn without(mut self, redactor: Option<Arc<dyn Redactor>>) -> Self {
        self.redactor = redactor;
        self
    }

    pub(crate) fn namespace(&self) -> &NamespaceName {
        &self.namespace
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A text that may be long without what the redactor knows; what is shown of it is cut out afterwards.
    pub(crate) fn clean_text(&self, text: String) -> String {
        match self.clean(text.as_bytes()) {
            Cow::Borrowed(_) => text,
            Cow::Owned(clean) => String::from_utf8_lossy(&clean).into_owned(),
        }
    }

    /// `text` without what the redactor knows.
    pub(crate) fn clean<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        match &self.redactor {
            Some(redactor) => redactor.redact(text),
            None => Cow::Borrowed(text),
        }
    }

    /// Logs one line that came over `stream`, during the call `request_id` if that is known. It is [clean](Self::clean).
    pub(crate) fn say(&self, stream: LogStream, request_id: &str, line: &[u8]) {
        let text = escape(line);
        self.tail.push(stream, request_id, &text);
        let (admitted, dropped) = self.with(|state| state.admit(Instant::now()));
        if dropped > 0 {
            tracing::warn!(namespace = %self.namespace, dropped, "the worker printed more lines than the log takes");
        }
        if admitted && !text.is_empty() {
            tracing::info!(target: "tooldock_worker::output", namespace = %self.namespace, %stream, request_id, "{text}");
        }
        if stream == LogStream::Stderr {
            self.with(|state| {
                if request_id.is_empty() && text.starts_with(FATAL) {
                    state.fatal = Some(text.chars().take(MAX_FATAL).collect());
                }
                state.last_words.push_back(text);
                let excess = state.last_words.len().saturating_sub(LAST_WORDS);
                state.last_words.drain(..excess);
            });
        }
    }

    /// The last lines of standard error, oldest first.
    pub(crate) fn last_words(&self) -> Vec<String> {
        self.with(|state| {
            state
                .last_words
                .iter()
                .filter(|line| !line.trim().is_empty())
                .cloned()
                .collect()
        })
    }

    /// The line by which Python says which signal ends it, if it has said so.
    pub(crate) fn fatal(&self) -> Option<String> {
        self.with(|state| state.fatal.clone())
    }

    /// Reads a pipe until it ends. A line longer than 8 KiB loses its rest.
    pub(crate) async fn follow(self, stream: LogStream, mut pipe: impl AsyncRead + Unpin) {
        let (mut line, mut chunk) = (Vec::new(), [0; 4096]);
        // A pipe that cannot be read has ended.
        while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
            for part in chunk[..count].split_inclusive(|byte| *byte == b'\n') {
                let (text, ended) = part
                    .strip_suffix(b"\n")
                    .map_or((part, false), |text| (text, true));
                line.extend_from_slice(&text[..text.len().min(MAX_READ - line.len())]);
                if ended {
                    self.say(stream, "", &self.clean(&line));
                    line.clear();
                    line.shrink_to(MAX_LINE);
                }
            }
        }
        if !line.is_empty() {
            self.say(stream, "", &self.clean(&line));
        }
    }
}

impl State {
    /// Whether one more line may be logged, and how many were not in a window that has just ended.
    fn admit(&mut self, now: Instant) -> (bool, u32) {
        let mut dropped = 0;
        if now.duration_since(self.window) >= WINDOW {
            dropped = self.lines.saturating_sub(LINES_PER_WINDOW);
            (self.window, self.lines) = (now, 0);
        }
        self.lines = self.lines.saturating_add(1);
        (self.lines <= LINES_PER_WINDOW, dropped)
    }
}

/// Text for a log, at most 8 KiB: what is no UTF-8 is replaced, control characters are spelled out.
pub(crate) fn escape(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(MAX_LINE)]);
    let mut out = String::with_capacity(text.len());
    for character in text.trim_end().chars() {
        let before = out.len();
        if character.is_control() && character != '\t' {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
        if out.len() > MAX_LINE {
            out.truncate(before);
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> OutputLog {
        OutputLog::new("demo".parse().unwrap(), LogTail::default())
    }

    #[tokio::test]
    async fn lines_are_cut_escaped_and_lossy() {
        let log = log();
        let mut pipe = b"\x1b[31mred\x1b[0m\n\xff\xfe\n".to_vec();
        pipe.extend(std::iter::repeat_n(b'x', 3 * MAX_LINE));
        pipe.push(b'\n');
        pipe.extend(std::iter::repeat_n(b'\x01', MAX_LINE));
        pipe.extend_from_slice(b"\nlast");
        log.clone().follow(LogStream::Stderr, pipe.as_slice()).await;
        let words = log.last_words();
        assert_eq!(words[0], "\\u{1b}[31mred\\u{1b}[0m");
        assert_eq!(words[1], "\u{fffd}\u{fffd}");
        assert_eq!(words[2].len(), MAX_LINE);
        assert!((MAX_LINE - 8..=MAX_LINE).contains(&words[3].len()), "spelled out");
        assert_eq!(words[4], "last");
        let kept: Vec<String> = log.tail.last(10).into_iter().map(|line| line.text).collect();
        assert_eq!(kept, words);
    }

    #[derive(Debug)]
    struct Marks;

    impl Redactor for Marks {
        fn redact<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
            Cow::Owned([text, b"!"].concat())
        }
    }

    #[tokio::test]
    async fn s99_each_line_is_cleaned_once() {
        let log = log().without(Some(Arc::new(Marks)));
        log.clone().follow(LogStream::Stderr, &b"one\ntwo"[..]).await;
        log.say(LogStream::Stderr, "7", b"clean");
        assert_eq!(log.last_words(), ["one!", "two!", "clean"]);
    }

    /// Knows one value, which has white space in it.
    #[derive(Debug)]
    struct Phrase;

    impl Redactor for Phrase {
        fn redact<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
            let text = str::from_utf8(text).unwrap();
            Cow::Owned(text.replace("correct horse", "[redacted]").into_bytes())
        }
    }

    #[tokio::test]
    async fn s99_no_line_ends_within_a_value() {
        let log = log().without(Some(Arc::new(Phrase)));
        let filler = "x".repeat(MAX_LINE - 16);
        let pipe = format!("{filler} correct horse\n{filler} and correct horse");
        log.clone().follow(LogStream::Stderr, pipe.as_bytes()).await;
        let shown = [format!("{filler} [redacted]"), format!("{filler} and [redacted]")];
        assert_eq!(log.last_words(), shown.map(|line| keep_start(line, MAX_LINE)));
        assert_eq!(log.clean_text("a correct horse".to_owned()), "a [redacted]");
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_is_limited_and_counted() {
        let log = log();
        let admit = || log.with(|state| state.admit(Instant::now()));
        let admitted = (0..2 * LINES_PER_WINDOW).filter(|_| admit().0).count();
        assert_eq!(admitted, LINES_PER_WINDOW as usize);
        tokio::time::advance(WINDOW).await;
        assert_eq!(admit(), (true, LINES_PER_WINDOW));
        assert_eq!(admit(), (true, 0));
    }
}
