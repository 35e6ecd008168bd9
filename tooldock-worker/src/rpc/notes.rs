//! What a running call tells its client and asks it.

use tokio_util::task::AbortOnDropHandle;
use tooldock_engine::{
    CallContext, Change, EngineError, RawJson,
    context::{Ask, LogLevel, Note},
};

use super::{
    hub::Hub,
    id::RequestId,
    incoming::{AbandonedFrame, AskFrame, LogFrame, ProgressFrame, UpdatedFrame, WithdrawFrame},
    outgoing,
};
use crate::output::{LogStream, pieces};

/// Bytes that the id of a question and its key may have: they are sent back with the answer.
const MAX_ASK_ID: usize = 128;
/// Bytes that the frame of a question may have: it is kept while its client thinks.
const MAX_ASK: usize = 4 << 20;
/// Bytes of a printed line that are told at once.
const MAX_PRINTED: usize = 8 << 10;

impl Hub {
    /// Passes on a note or question; `None` when it is malformed, unknown, or belongs to no open call.
    pub(super) fn note(&self, op: &str, id: Option<RequestId>, line: &RawJson) -> Option<()> {
        if op == "abandoned" {
            let frame: AbandonedFrame = line.parse().ok()?;
            self.abandoned.send_replace(frame.count);
            return Some(());
        }
        if op == "updated" {
            let frame: UpdatedFrame = line.parse().ok()?;
            // Without anybody who watches there is nobody to tell.
            self.changes.send(Change::Updated(frame.uri.into())).ok();
            return Some(());
        }
        let id = id?;
        let cx = self.pending.context(id)?;
        match op {
            "log" => self.log(&cx, line),
            "progress" => progress(&cx, line),
            "ask" => self.ask(cx, id, line),
            "withdraw" => {
                let frame: WithdrawFrame = line.parse().ok()?;
                self.pending.withdraw(id, &frame.ask);
                Some(())
            }
            _ => None,
        }
    }

    fn log(&self, cx: &CallContext, line: &RawJson) -> Option<()> {
        let frame: LogFrame<'_> = line.parse().ok()?;
        if let (Some(stream), Some(text)) = (frame.stream, &frame.text) {
            // As a whole: of a secret of several lines each line says too little to be recognized.
            let text = self.output.clean(text.as_bytes());
            for piece in String::from_utf8_lossy(&text)
                .lines()
                .flat_map(|line| pieces(line, MAX_PRINTED))
            {
                self.output.say(stream, cx.request_id(), piece.as_bytes());
                cx.client().notify(print_note(stream, piece));
            }
            return Some(());
        }
        cx.client().notify(Note::Log {
            level: frame.level.unwrap_or(LogLevel::Info),
            logger: frame.logger,
            data: line.part(frame.data?),
        });
        Some(())
    }

    /// Asks the client on a task that lives as long as the call.
    fn ask(&self, cx: CallContext, id: RequestId, line: &RawJson) -> Option<()> {
        let frame: AskFrame<'_> = line.parse().ok()?;
        let key = frame.key.as_ref().map_or(0, String::len);
        if frame.ask.len().max(key) > MAX_ASK_ID {
            return None;
        }
        if line.len() > MAX_ASK {
            self.refuse(&frame.ask, "a question may have at most 4 MiB");
            return Some(());
        }
        let Some(kind) = frame.kind() else {
            self.refuse(&frame.ask, "the gateway knows no such question");
            return Some(());
        };
        let params = frame.params.map(|params| line.part(params));
        let params = params.unwrap_or_else(RawJson::empty_object);
        let mut question = Ask::new(kind, params);
        question.key = frame.key.map(Into::into);
        let (outbox, ask, name) = (self.outbox.clone(), frame.ask.clone(), frame.ask);
        let answered = async move {
            let answer = cx.client().ask(question).await;
            let answer = answer.as_ref().map_err(EngineError::message);
            outbox.push(|out| outgoing::write_answer(out, &ask, answer));
        };
        let begin = || AbortOnDropHandle::new(self.asks.spawn(answered));
        if !self.pending.tie(id, &name, begin) {
            self.refuse(&name, "the call asks too many questions at once");
        }
        Some(())
    }

    fn refuse(&self, ask: &str, why: &str) {
        self.outbox.push(|out| outgoing::write_answer(out, ask, Err(why)));
    }
}

/// A printed line as its client hears it. Of the lowest level, so that only clients that ask for everything do.
fn print_note(stream: LogStream, line: &str) -> Note {
    Note::Log {
        level: LogLevel::Debug,
        logger: Some(stream.as_str().to_owned()),
        data: RawJson::string(line),
    }
}

fn progress(cx: &CallContext, line: &RawJson) -> Option<()> {
    let frame: ProgressFrame<'_> = line.parse().ok()?;
    cx.client().notify(Note::Progress {
        progress: line.part(frame.progress),
        total: frame.total.map(|total| line.part(total)),
        message: frame.message,
    });
    Some(())
}
