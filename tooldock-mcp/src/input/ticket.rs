//! What is inside the state that a client keeps.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tooldock_engine::{RawJson, error::Result, json::ScanLimits};

use crate::random::random;

/// The name of what waits for a client to come back; it serves once.
pub(super) type TicketId = u128;

/// What is inside the state that a client keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ticket {
    pub(super) id: TicketId,
    /// Seconds since 1970 after which it is refused.
    expires: u64,
    /// How often the request has been answered with questions.
    pub(super) round: u8,
    /// The state of an engine that keeps none itself.
    pub(super) state: Option<RawJson>,
}

const ID: usize = size_of::<TicketId>();
const TIME: usize = size_of::<u64>();

impl Ticket {
    /// A new one that is valid for `life`.
    pub(super) fn issue(life: Duration, round: u8, state: Option<RawJson>) -> Result<Self> {
        Ok(Self {
            id: u128::from_be_bytes(random()?),
            expires: seconds(SystemTime::now()).saturating_add(life.as_secs()),
            round,
            state,
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let state = self.state.as_ref().map_or(&[][..], RawJson::as_bytes);
        [
            &self.id.to_be_bytes()[..],
            &self.expires.to_be_bytes(),
            &[self.round],
            state,
        ]
        .concat()
    }

    /// Reads one that has not expired at `now`.
    pub(super) fn read(bytes: &[u8], now: SystemTime) -> Option<Self> {
        let (id, rest) = bytes.split_first_chunk::<ID>()?;
        let (expires, rest) = rest.split_first_chunk::<TIME>()?;
        let (round, state) = rest.split_first()?;
        let state = match state {
            [] => None,
            state => Some(RawJson::scan(state.to_vec(), ScanLimits::RESULT).ok()?),
        };
        let ticket = Self {
            id: u128::from_be_bytes(*id),
            expires: u64::from_be_bytes(*expires),
            round: *round,
            state,
        };
        (seconds(now) <= ticket.expires).then_some(ticket)
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s41_a_ticket_is_read_as_it_was_issued_until_it_expires() {
        for state in [None, Some(RawJson::string("kept"))] {
            let life = Duration::from_secs(300);
            let ticket = Ticket::issue(life, 3, state).unwrap();
            let bytes = ticket.to_bytes();
            let now = SystemTime::now();
            assert_eq!(Ticket::read(&bytes, now), Some(ticket));
            assert_eq!(Ticket::read(&bytes, now + life + Duration::from_secs(2)), None);
        }
    }

    #[test]
    fn what_is_no_ticket_is_none() {
        let bytes = Ticket::issue(Duration::from_secs(300), 0, None)
            .unwrap()
            .to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(
                Ticket::read(&bytes[..length], SystemTime::now()),
                None,
                "{length} bytes"
            );
        }
        let broken = [&bytes[..], b"{"].concat();
        assert_eq!(
            Ticket::read(&broken, SystemTime::now()),
            None,
            "state that is no JSON"
        );
    }
}
