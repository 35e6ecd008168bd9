//! What one connection shares between calls and its driver.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use bytes::Bytes;
use tokio::sync::oneshot;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tooldock_engine::{
    EngineError, ErrorKind, RawJson,
    context::{Ask, LogLevel, Note},
    json::ScanLimits,
};

use super::{
    End,
    id::{RequestId, RequestIds},
    incoming::{self, AbandonedFrame, AskFrame, Frame, LogFrame, ProgressFrame},
    outbox::Outbox,
    outgoing,
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
    pub abandoned: AtomicUsize,
    pub asks: TaskTracker,
    pub output: OutputLog,
}

impl Hub {
    /// Takes one line.
    pub(super) fn receive(&self, line: &Bytes) -> Result<(), End> {
        let line = match RawJson::scan(line.clone(), ScanLimits::RESULT) {
            Ok(line) => line,
            // A result that is too deep is the tool's fault, not the worker's: only its call fails.
            Err(fault) if fault.problem.is_json() => {
                let frame: Frame<'_> = serde_json::from_slice(line).map_err(|_| End::Garbage(fault))?;
                let id = frame
                    .id
                    .filter(|_| frame.op.is_none())
                    .and_then(|id| RequestId::read(id.get()));
                let id = id.ok_or(End::Garbage(fault))?;
                self.answer(Some(id), Err(incoming::refuse_answer(fault)));
                return Ok(());
            }
            Err(fault) => return Err(End::Garbage(fault)),
        };
        let frame: Frame<'_> = line.parse().map_err(|_| End::NoFrame)?;
        let id = frame.id.and_then(|id| RequestId::read(id.get()));
        match frame.op.map(|op| op.get().trim_matches('"')) {
            None if frame.id.is_none() && frame.error.is_none() => return Err(End::NoFrame),
            None => self.answer(id, incoming::read_answer(&line, &frame)),
            Some("ready") => self.ready(line.clone()),
            Some(op) => self.note(op, id, &line).unwrap_or_else(|| self.stray(op)),
        }
        Ok(())
    }

    fn answer(&self, id: Option<RequestId>, answer: Result<RawJson, EngineError>) {
        if !id.is_some_and(|id| self.pending.answer(id, answer)) {
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

    /// Passes on a note or question; `None` when it is malformed or belongs to no open call.
    fn note(&self, op: &str, id: Option<RequestId>, line: &RawJson) -> Option<()> {
        if op == "abandoned" {
            self.abandoned
                .store(line.parse::<AbandonedFrame>().ok()?.count, Ordering::Relaxed);
            return Some(());
        }
        let id = id?;
        let cx = self.pending.context(id)?;
        match op {
            "log" => {
                let frame: LogFrame<'_> = line.parse().ok()?;
                if let (Some(stream), Some(text)) = (&frame.stream, &frame.text) {
                    for line in text.lines() {
                        self.output.say(stream, cx.request_id(), line.as_bytes());
                    }
                    return Some(());
                }
                let level = frame.level.unwrap_or(LogLevel::Info);
                cx.client().notify(Note::Log {
                    level,
                    logger: frame.logger,
                    data: line.part(frame.data?),
                });
            }
            "progress" => {
                let frame: ProgressFrame<'_> = line.parse().ok()?;
                let total = frame.total.map(|total| line.part(total));
                let progress = line.part(frame.progress);
                cx.client().notify(Note::Progress {
                    progress,
                    total,
                    message: frame.message,
                });
            }
            "ask" => {
                let frame: AskFrame<'_> = line.parse().ok()?;
                let Some(kind) = frame.kind() else {
                    self.refuse(&frame.ask, "the gateway knows no such question");
                    return Some(());
                };
                let params = frame
                    .params
                    .map_or_else(RawJson::empty_object, |params| line.part(params));
                let (outbox, ask) = (self.outbox.clone(), frame.ask.clone());
                let task = self.asks.spawn(async move {
                    let answer = cx.client().ask(Ask { kind, params }).await;
                    let answer = answer.as_ref().map_err(EngineError::message);
                    outbox.push(|out| outgoing::write_answer(out, &ask, answer));
                });
                if !self.pending.tie(id, AbortOnDropHandle::new(task)) {
                    self.refuse(&frame.ask, "the call asks too many questions at once");
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn refuse(&self, ask: &str, why: &str) {
        self.outbox.push(|out| outgoing::write_answer(out, ask, Err(why)));
    }

    /// Ends every request; nothing can be added after that.
    pub(super) fn end(&self, kind: ErrorKind, why: &str) {
        self.pending.end(kind, why);
        self.outbox.clear();
    }
}
