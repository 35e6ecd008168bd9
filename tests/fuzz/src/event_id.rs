//! `Last-Event-ID` and the events behind it.
//!
//! The first line is what a client presents. Each other line is an event that was sent before: the number of its session (0 or 1), of its
//! stream, its own number, and its size in bytes; or a session that is forgotten: its number alone.

use futures_util::FutureExt as _;
use tooldock_engine::RawJson;
use tooldock_mcp::{
    session::SessionId,
    stream::{Event, EventId, EventLog as _, MemoryEvents, ReplayLimits, StreamId},
};

/// Events that a session may have in the log.
const EVENTS: usize = 4;

/// An id is read in one spelling only, and what comes back for it was sent later on the same stream of the same session.
pub fn check(input: &[u8], planted: bool) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let (presented, history) = text.split_once('\n').unwrap_or((text, ""));
    let sessions = [(); 2].map(|()| SessionId::generate().expect("the system gives random bytes"));
    let mut limits = ReplayLimits::default();
    (limits.events, limits.bytes, limits.total_bytes) = (EVENTS, 2000, 3000);
    let log = MemoryEvents::new(limits);
    let mut kept: [Vec<Event>; 2] = Default::default();
    for line in history.lines().take(64) {
        let words: Vec<u64> = line.split(' ').map_while(|word| word.parse().ok()).collect();
        match words[..] {
            [owner, stream, number, bytes] => {
                let owner = usize::from(owner % 2 == 1);
                let id = EventId {
                    stream: StreamId(stream),
                    number,
                };
                let size = usize::try_from(bytes).unwrap_or(usize::MAX).min(4000);
                let message = RawJson::string(&format!("{owner}{id}{}", "x".repeat(size)));
                let event = Event { id, message };
                kept[owner].push(event.clone());
                log.append(&sessions[owner], event)
                    .now_or_never()
                    .expect("it does not wait");
            }
            [owner] => {
                let owner = usize::from(owner % 2 == 1);
                kept[owner].clear();
                log.forget(&sessions[owner]);
            }
            _ => {}
        }
    }
    let last = match presented.parse::<EventId>() {
        Ok(last) => last,
        Err(error) => {
            assert!(
                !is_canonical(presented),
                "`{presented}` is an id, and not: {error}"
            );
            assert!(error.to_string().contains("not the id of an event"));
            return;
        }
    };
    assert_eq!(last.to_string(), presented, "another spelling");
    assert!(is_canonical(presented), "`{presented}` is no id");
    for (session, kept) in sessions.iter().zip(&kept) {
        let mut sent = kept.iter();
        let replayed = log
            .after(session, asked(last, planted))
            .now_or_never()
            .expect("it does not wait");
        assert!(replayed.len() <= EVENTS, "more than is kept");
        for event in replayed {
            assert!(event.id.stream == last.stream, "{} for {last}", event.id);
            assert!(event.id.number > last.number, "{} for {last}", event.id);
            assert!(
                sent.any(|own| *own == event),
                "{} was not sent then, or not here",
                event.id
            );
        }
    }
}

/// Sixteen lower-case hexadecimal digits, a hyphen, and a number without leading zeros.
fn is_canonical(text: &str) -> bool {
    let Some((stream, number)) = text.split_once('-') else {
        return false;
    };
    let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let first = number.bytes().next();
    stream.len() == 16
        && stream.bytes().all(digit)
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && first.is_some_and(|first| first != b'0' || number == "0")
        && number
            .parse::<u128>()
            .is_ok_and(|number| number <= u128::from(u64::MAX))
}

/// The bug: streams are told apart by the last four bits of their number.
fn asked(last: EventId, planted: bool) -> EventId {
    let stream = if planted {
        last.stream.0 % 16
    } else {
        last.stream.0
    };
    EventId {
        stream: StreamId(stream),
        ..last
    }
}
