//! What one connection shares between calls and its driver.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::sync::{broadcast, oneshot, watch};
use tokio_util::task::TaskTracker;
use tooldock_engine::{
    Change, EngineError, ErrorKind, RawJson,
    json::{JsonFault, Member, Outline, ScanLimits},
};

use super::{
    End,
    id::{RequestId, RequestIds},
    incoming::{self, Frame, LEVELS},
    outbox::Outbox,
    pending::Pending,
};
use crate::output::OutputLog;

/// What calls and the driver of one connection share.
#[derive(Debug)]
pub(super) struct Hub {
    pub ids: RequestIds,
    pub pending: Pending,
    pub outbox: Arc<Outbox>,
    pub ready: Mutex<Option<oneshot::Sender<RawJson>>>,
    /// Answers and notes that nobody waits for.
    pub strays: AtomicU64,
    /// Threads of cancelled calls that still run.
    pub abandoned: watch::Sender<usize>,
    pub asks: TaskTracker,
    /// Where updates of resources are told.
    pub changes: broadcast::Sender<Change>,
    pub output: OutputLog,
}

impl Hub {
    /// Takes one line.
    pub(super) fn receive(&self, line: &Bytes) -> Result<(), End> {
        let outline = match Outline::scan(line.clone(), ScanLimits::RESULT, LEVELS) {
            Ok(outline) => outline,
            Err(fault) if fault.problem.is_json() => return self.receive_refused(line, fault),
            Err(fault) => return Err(End::Garbage(fault)),
        };
        let frame = Frame::of(&outline).ok_or(End::NoFrame)?;
        let id = frame.id.and_then(|id| RequestId::read(text(id)));
        match frame.op.map(|op| text(op).trim_matches('"')) {
            None if frame.id.is_none() && frame.error.is_none() => return Err(End::NoFrame),
            None => {
                let cpu = frame.cpu.unwrap_or_default();
                let checked = incoming::check_answer(&frame, &self.output);
                self.answer(id, cpu, checked.map(|()| outline));
            }
            Some("ready") => self.ready(outline.json().clone()),
            Some(op) => self
                .note(op, id, outline.json())
                .unwrap_or_else(|| self.stray(op)),
        }
        Ok(())
    }

    /// Takes a line that is JSON but breaks a rule. If a tool made it so, too deep for example, the tool is at fault and not
    /// the worker: its call fails, its note is dropped.
    fn receive_refused(&self, line: &Bytes, fault: JsonFault) -> Result<(), End> {
        #[derive(serde::Deserialize)]
        struct Refused<'a> {
            #[serde(borrow)]
            id: Option<&'a RawValue>,
            #[serde(borrow)]
            op: Option<&'a RawValue>,
        }
        let frame: Refused<'_> = serde_json::from_slice(line).map_err(|_| End::Garbage(fault))?;
        match (frame.op, frame.id) {
            (None, Some(id)) => {
                let id = RequestId::read(id.get());
                self.answer(id, Duration::ZERO, Err(incoming::refuse_answer(fault)));
            }
            (Some(op), Some(_)) => self.stray(op.get()),
            _ => return Err(End::Garbage(fault)),
        }
        Ok(())
    }

    fn answer(&self, id: Option<RequestId>, cpu: Duration, answer: Result<Outline, EngineError>) {
        if !id.is_some_and(|id| self.pending.answer(id, cpu, answer)) {
            self.stray("response");
        }
    }

    fn stray(&self, what: &str) {
        let count = self.strays.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::debug!(namespace = %self.output.namespace(), what, count, "a frame that nobody waits for");
    }

    fn ready(&self, frame: RawJson) {
        let waiting = self.ready.lock().unwrap_or_else(PoisonError::into_inner).take();
        if waiting.is_none_or(|waiting| waiting.send(frame).is_err()) {
            self.stray("ready");
        }
    }

    /// Ends every request; nothing can be added after that.
    pub(super) fn end(&self, kind: ErrorKind, why: &str) {
        self.pending.end(kind, why);
        self.outbox.clear();
    }
}

fn text(member: Member<'_>) -> &str {
    std::str::from_utf8(member.text()).expect("the scan accepts UTF-8 only")
}
