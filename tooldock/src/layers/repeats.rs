//! How often the same has been logged.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;
use tooldock_engine::{ErrorKind, ToolName};

/// The time in which what is logged again is counted.
const WINDOW: Duration = Duration::from_secs(60);
/// Lines about the same in that time.
const LINES: u64 = 20;
/// Things that are told apart; there are as many as a namespace has tools and kinds of errors.
const THINGS: usize = 1000;

/// What is the same: the tool, and how it failed.
type Thing = (Option<ToolName>, ErrorKind);

/// Counts what is logged of one namespace.
#[derive(Debug, Default)]
pub(super) struct Repeats(Mutex<HashMap<Thing, Window>>);

#[derive(Debug)]
struct Window {
    began: Instant,
    lines: u64,
    /// Lines that were left out since the last one that was written.
    left_out: u64,
}

impl Repeats {
    /// Whether a line is written about it, and how many were left out before it. The first lines in a minute are: each carries an id that
    /// somebody may ask about.
    pub(super) fn admit(&self, tool: Option<&ToolName>, kind: ErrorKind) -> Option<u64> {
        let now = Instant::now();
        let mut things = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if things.len() >= THINGS {
            things.retain(|_, window| now - window.began < WINDOW);
        }
        let full = things.len() >= THINGS;
        let window = match things.entry((tool.cloned(), kind)) {
            std::collections::hash_map::Entry::Vacant(_) if full => return Some(0),
            entry => entry.or_insert(Window {
                began: now,
                lines: 0,
                left_out: 0,
            }),
        };
        if now - window.began >= WINDOW {
            (window.began, window.lines) = (now, 0);
        }
        if window.lines >= LINES {
            window.left_out += 1;
            return None;
        }
        window.lines += 1;
        Some(std::mem::take(&mut window.left_out))
    }
}
