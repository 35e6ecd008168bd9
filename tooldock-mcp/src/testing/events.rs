//! The contract every event log keeps.

use std::future::Future;

use tooldock_engine::RawJson;

use crate::{
    session::SessionId,
    stream::{Event, EventId, EventLog, ReplayLimits, StreamId},
};

/// Checks the [contract](EventLog#contract) on fresh logs that `make` builds for the limits it is given.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use tooldock_mcp::{stream::MemoryEvents, testing::event_log_contract};
/// event_log_contract(async |limits| MemoryEvents::new(limits)).await;
/// # });
/// ```
///
/// # Panics
/// When the log breaks a rule.
///
/// # Cancel safety
/// Dropping the future drops the logs.
pub async fn event_log_contract<L, F>(make: impl Fn(ReplayLimits) -> F)
where
    L: EventLog,
    F: Future<Output = L>,
{
    let limits = ReplayLimits {
        events: 5,
        bytes: 4000,
        total_bytes: 6000,
    };
    streams_and_sessions_are_told_apart(&make(limits).await).await;
    the_oldest_make_room(&make(limits).await, limits).await;
    what_is_too_large_is_not_kept(&make(limits).await, limits).await;
    what_is_forgotten_is_gone(&make(limits).await, limits).await;
}

fn session() -> SessionId {
    SessionId::generate().expect("the system gives random bytes")
}

async fn append(log: &impl EventLog, session: &SessionId, (stream, number): (u64, u64), bytes: usize) {
    let id = EventId {
        stream: StreamId(stream),
        number,
    };
    let message = RawJson::string(&"x".repeat(bytes));
    log.append(session, Event { id, message }).await;
}

/// The numbers of what is kept of a stream behind a number.
async fn after(log: &impl EventLog, session: &SessionId, (stream, number): (u64, u64)) -> Vec<u64> {
    let last = EventId {
        stream: StreamId(stream),
        number,
    };
    let events = log.after(session, last).await;
    assert!(
        events.iter().all(|event| event.id.stream == last.stream),
        "rule: what comes back was sent on the same stream"
    );
    events.iter().map(|event| event.id.number).collect()
}

async fn streams_and_sessions_are_told_apart(log: &impl EventLog) {
    let (own, other) = (session(), session());
    for event in [(1, 1), (2, 1), (1, 2), (2, 2)] {
        append(log, &own, event, 10).await;
    }
    append(log, &other, (1, 3), 10).await;
    assert_eq!(after(log, &own, (1, 0)).await, [1, 2], "rule: in order");
    assert_eq!(
        after(log, &own, (1, 1)).await,
        [2],
        "rule: what was sent later, and nothing else"
    );
    assert!(after(log, &own, (1, 2)).await.is_empty());
    assert!(after(log, &own, (3, 0)).await.is_empty(), "rule: of that stream");
    assert_eq!(after(log, &other, (1, 0)).await, [3], "rule: of that session");
}

async fn the_oldest_make_room(log: &impl EventLog, limits: ReplayLimits) {
    let own = session();
    for number in 1..=8 {
        append(log, &own, (1, number), 10).await;
    }
    assert_eq!(
        after(log, &own, (1, 0)).await,
        [4, 5, 6, 7, 8],
        "rule: no more events than the limit"
    );
    for number in [9, 10] {
        append(log, &own, (1, number), limits.bytes / 2 - 200).await;
    }
    let kept = after(log, &own, (1, 0)).await;
    assert!(
        kept.ends_with(&[9, 10]) && !kept.contains(&4) && kept.len() < 5,
        "rule: no more bytes than the limit, the oldest go: {kept:?}"
    );
    let others = [session(), session()];
    for other in &others {
        append(log, other, (1, 1), limits.bytes / 2).await;
    }
    assert!(
        !after(log, &own, (1, 0)).await.contains(&9),
        "rule: the oldest of all make room"
    );
    assert_eq!(after(log, &others[1], (1, 0)).await, [1], "rule: the newest stay");
}

async fn what_is_too_large_is_not_kept(log: &impl EventLog, limits: ReplayLimits) {
    let own = session();
    append(log, &own, (1, 1), 10).await;
    append(log, &own, (1, 2), limits.bytes + 1).await;
    assert_eq!(
        after(log, &own, (1, 0)).await,
        [1],
        "rule: what is too large makes nothing go"
    );
}

async fn what_is_forgotten_is_gone(log: &impl EventLog, limits: ReplayLimits) {
    let own = session();
    for round in 0..4 {
        append(log, &own, (1, 2 * round + 1), limits.bytes / 2).await;
        log.forget(&own);
        assert!(
            after(log, &own, (1, 0)).await.is_empty(),
            "rule: what is forgotten is gone"
        );
    }
    let other = session();
    append(log, &other, (1, 1), limits.bytes / 2).await;
    append(log, &own, (1, 9), limits.bytes / 2).await;
    log.forget(&own);
    assert_eq!(
        after(log, &other, (1, 0)).await,
        [1],
        "rule: what is forgotten takes no room, and only it goes"
    );
}
