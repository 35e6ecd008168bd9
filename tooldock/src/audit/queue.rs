//! The records that wait to be written, of which there are never more than the queue may hold.

use std::{
    mem,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::{AuditStatus, batch::Batch, line::Line};

/// How long records are gathered that are written together.
const GATHER: Duration = Duration::from_millis(20);

/// Between the tasks of calls and the thread that writes.
#[derive(Debug)]
pub(super) struct Queue {
    room: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: Batch,
    /// Places taken: by records that are not written yet, and by calls that will have one.
    taken: usize,
    /// Lost records that no line tells of yet.
    untold: u64,
    status: AuditStatus,
    /// The writer sleeps until there is something.
    idle: bool,
    closed: bool,
}

/// What the writer is given.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// There is something to write.
    Write,
    /// There is nothing left, and nothing will come.
    End,
}

impl Queue {
    pub(super) fn new(room: usize) -> Self {
        Self {
            room,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a call that begins. Nothing while records cannot be written, or all places are taken.
    pub(super) fn reserve(&self) -> bool {
        let mut state = self.state();
        let free = state.status.trouble.is_none() && state.taken < self.room && !state.closed;
        state.taken += usize::from(free);
        free
    }

    /// Adds a record, which is lost where there is no place for it. One that is `reserved` has its place already.
    pub(super) fn push(&self, line: &Line, reserved: bool) {
        let mut state = self.state();
        if state.closed || (!reserved && state.taken >= self.room) {
            state.status.lost += 1;
            state.untold += 1;
            return;
        }
        state.taken += usize::from(!reserved);
        state.lines.push(line);
        if mem::take(&mut state.idle) {
            self.changed.notify_one();
        }
    }

    /// Waits until there is something to write, which may be in `batch` already, gathers for a moment, and adds all of it to `batch`;
    /// gives the records that were lost meanwhile.
    pub(super) fn take(&self, batch: &mut Batch) -> (Turn, u64) {
        let mut state = self.state();
        while state.lines.is_empty() && batch.is_empty() && !state.closed {
            state.idle = true;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let mut state = self.pause(state, GATHER);
        batch.append(&mut state.lines);
        let lost = mem::take(&mut state.untold);
        let turn = if batch.is_empty() && lost == 0 {
            Turn::End
        } else {
            Turn::Write
        };
        (turn, lost)
    }

    /// Notes that `count` records are in the file, and whether more can be written; gives whether the latter is news. Both at once, so that
    /// nobody is told of trouble when all is written.
    pub(super) fn settle(&self, count: usize, trouble: Option<String>) -> bool {
        let mut state = self.state();
        state.taken -= count;
        state.status.written += count as u64;
        let news = state.status.trouble.is_some() != trouble.is_some();
        state.status.trouble = trouble;
        news
    }

    /// Notes that the writer gave up on `count` records.
    pub(super) fn give_up(&self, count: usize) {
        let mut state = self.state();
        state.taken -= count;
        state.status.lost += count as u64;
    }

    /// Waits for `time`, or less when nothing more will come. Gives whether more may come.
    pub(super) fn rest(&self, time: Duration) -> bool {
        !self.pause(self.state(), time).closed
    }

    fn pause<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        let waited = self
            .changed
            .wait_timeout_while(state, time, |state| !state.closed);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Takes no more records.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    pub(super) fn status(&self) -> AuditStatus {
        let state = self.state();
        AuditStatus {
            waiting: state.taken,
            ..state.status.clone()
        }
    }
}
