//! What one connection reads of a stream.

use std::{collections::VecDeque, future::pending, sync::Arc};

use tokio::time::{Instant, sleep_until};
use tooldock_engine::RawJson;

use super::{Carries, Channel, Event, EventId, channel::Carried};
use crate::{
    refusal::code,
    watch::Notices,
    wire::{write_error, write_notification},
};

/// What one connection reads of a stream: first what its client has missed, then what is sent. It ends when another connection takes
/// over, when its time is over, or with the stream.
#[derive(Debug)]
pub(crate) struct Reader {
    channel: Arc<Channel>,
    missed: VecDeque<Event>,
    carried: Carried,
    notices: Option<Notices>,
    /// The number of the last event that was read.
    seen: u64,
    until: Option<Instant>,
}

impl Reader {
    /// A reader of all that is sent from now on. A stream of notices reads them from `notices`, and only while it is read itself.
    pub(super) fn new(channel: Arc<Channel>, notices: Option<Notices>) -> Self {
        Self {
            carried: channel.attach(),
            channel,
            missed: VecDeque::new(),
            notices,
            seen: 0,
            until: None,
        }
    }

    /// Reads on behind `last`, in place of whoever reads now.
    pub(crate) async fn resume(channel: Arc<Channel>, last: EventId, notices: Option<Notices>) -> Self {
        let mut reader = Self::new(channel, notices);
        let kept = reader.channel.kept_after(last.number).await;
        reader.seen = last.number;
        let logged = reader.carried.logged;
        let first = match kept.first() {
            Some(event) => event.id.number,
            // The answer is lost, too, and what stands for it tells that.
            None if reader.lost_answer().is_some() => last.number + 1,
            None => logged + 1,
        };
        if let Some(gap) = gap(first.saturating_sub(last.number + 1)) {
            let id = reader.channel.at(first - 1);
            reader.missed.push_back(Event { id, message: gap });
        }
        reader.missed.extend(kept);
        reader
    }

    /// Ends at `instant`, whether the stream does or not: the client comes back for the rest.
    pub(crate) fn until(mut self, instant: Option<Instant>) -> Self {
        self.until = instant;
        self
    }

    /// Whether the stream ends with an answer.
    pub(crate) fn awaits_answer(&self) -> bool {
        self.notices.is_none()
    }

    /// The id that a client names which has seen nothing yet.
    pub(crate) fn beginning(&self) -> EventId {
        self.channel.at(self.seen)
    }

    /// The next event; nothing once there will be none for this connection.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            let event = match self.missed.pop_front() {
                Some(missed) => missed,
                None => self.sent().await?,
            };
            // An event that was being sent while the connection took over comes twice.
            if event.id.number > self.seen {
                self.seen = event.id.number;
                return Some(event);
            }
        }
    }

    async fn sent(&mut self) -> Option<Event> {
        let over = async {
            match self.until {
                Some(instant) => sleep_until(instant).await,
                None => pending().await,
            }
        };
        let next = async {
            match &mut self.notices {
                Some(notices) => Some(self.channel.record(notices.next().await?).await),
                None => self.carried.events.recv().await,
            }
        };
        tokio::select! {
            biased;
            () = self.carried.gone.cancelled() => None,
            event = next => event.or_else(|| self.lost_answer()),
            () = over => None,
        }
    }

    /// What stands for the answer if that was neither sent to this connection nor kept.
    fn lost_answer(&self) -> Option<Event> {
        let last = self.channel.finished().filter(|last| *last > self.seen)?;
        let Carries::Answer(request) = &self.channel.carries else {
            return None;
        };
        let text = "the answer was not kept until the client came back (MCP_REPLAY_EVENTS, MCP_REPLAY_BYTES, MCP_REPLAY_TOTAL_BYTES)";
        let message = write_error(Some(request.as_ref()?), code::INTERNAL, text, None);
        let id = self.channel.at(last);
        Some(Event { id, message })
    }
}

/// The report of events that were not kept.
fn gap(missing: u64) -> Option<RawJson> {
    if missing == 0 {
        return None;
    }
    let text = format!(
        "{missing} messages of this stream were not kept (MCP_REPLAY_EVENTS, MCP_REPLAY_BYTES, MCP_REPLAY_TOTAL_BYTES); ask again for what they may have told"
    );
    Some(write_notification("notifications/message", |params| {
        params
            .string("level", "warning")
            .string("logger", "tooldock")
            .string("data", &text);
    }))
}
