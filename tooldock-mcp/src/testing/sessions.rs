//! The contract every session store keeps.

use std::{future::Future, sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;
use tooldock_engine::{RawJson, context::Principal};

use crate::{
    revision::Revision,
    session::{Owner, Session, SessionLimits, SessionStore},
    stream::{EventLog, MemoryEvents, ReplayLimits},
    wire::MessageId,
};

/// Checks the [contract](SessionStore#contract) on fresh stores that `make` builds for the limits it is given. Time must be paused, and
/// is moved forward.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap().block_on(async {
/// use tooldock_mcp::{session::MemorySessions, testing::session_store_contract};
/// session_store_contract(async |limits| MemorySessions::new(limits)).await;
/// # });
/// ```
///
/// # Panics
/// When the store breaks a rule.
///
/// # Cancel safety
/// Dropping the future drops the stores.
pub async fn session_store_contract<S, F>(make: impl Fn(SessionLimits) -> F)
where
    S: SessionStore,
    F: Future<Output = S>,
{
    let limits = SessionLimits {
        total: 3,
        per_principal: 2,
        ..SessionLimits::default()
    };
    owners_are_told_apart(&make(limits).await).await;
    the_least_recently_used_makes_room(&make(limits).await).await;
    sessions_expire(&make(limits).await, limits).await;
    use_ends_when_it_ends(&make(limits).await, limits).await;
}

fn log() -> Arc<dyn EventLog> {
    Arc::new(MemoryEvents::new(ReplayLimits::default()))
}

fn session(principal: &str, namespace: &str) -> Arc<Session> {
    let owner = Owner {
        principal: Principal::new(principal),
        namespace: namespace.parse().expect("a plain name"),
    };
    let (revision, token) = (Revision::V2025_11_25, CancellationToken::new());
    let session = Session::open(
        owner,
        revision,
        RawJson::empty_object(),
        Arc::default(),
        log(),
        token,
    );
    Arc::new(session.expect("the system gives random bytes"))
}

async fn finds(store: &impl SessionStore, session: &Session) -> bool {
    store.find(session.id().as_str(), session.owner()).await.is_some()
}

async fn owners_are_told_apart(store: &impl SessionStore) {
    let own = session("ann", "demo");
    store.open(own.clone()).await;
    assert!(finds(store, &own).await, "rule: the owner finds his session");
    for other in [session("bob", "demo"), session("ann", "other")] {
        let id = own.id().as_str();
        assert!(
            store.find(id, other.owner()).await.is_none(),
            "rule: nobody else finds it"
        );
        assert!(
            !store.close(id, other.owner()).await,
            "rule: nobody else closes it"
        );
    }
    assert!(own.is_open(), "rule: a wrong owner changes nothing");
    assert!(
        store.close(own.id().as_str(), own.owner()).await,
        "rule: the owner closes it"
    );
    assert!(
        !own.is_open() && !finds(store, &own).await,
        "rule: what is closed has ended"
    );
    assert_eq!(store.count().await, 0, "rule: what is closed is gone");
}

async fn the_least_recently_used_makes_room(store: &impl SessionStore) {
    let ann = [
        session("ann", "demo"),
        session("ann", "demo"),
        session("ann", "demo"),
    ];
    store.open(ann[0].clone()).await;
    store.open(ann[1].clone()).await;
    assert!(finds(store, &ann[0]).await);
    store.open(ann[2].clone()).await;
    assert!(
        !ann[1].is_open(),
        "rule: the least recently used of the principal makes room"
    );
    assert!(finds(store, &ann[0]).await && finds(store, &ann[2]).await);

    let others = [session("bob", "demo"), session("cid", "demo")];
    store.open(others[0].clone()).await;
    store.open(others[1].clone()).await;
    assert!(
        !ann[0].is_open(),
        "rule: the least recently used of all makes room"
    );
    assert_eq!(
        store.count().await,
        3,
        "rule: there are never more than the limit"
    );
    store.clear().await;
    assert!(
        others.iter().all(|session| !session.is_open()),
        "rule: clearing ends every session"
    );
}

async fn sessions_expire(store: &impl SessionStore, limits: SessionLimits) {
    let fresh = session("ann", "demo");
    store.open(fresh.clone()).await;
    tokio::time::advance(limits.uninitialized).await;
    assert!(
        !finds(store, &fresh).await,
        "rule: a session that is not used after `initialize` expires"
    );

    let used = session("ann", "demo");
    used.set_initialized();
    store.open(used.clone()).await;
    let almost = limits.idle - Duration::from_secs(1);
    tokio::time::advance(almost).await;
    assert!(finds(store, &used).await, "rule: a use prolongs");
    tokio::time::advance(almost).await;
    assert!(finds(store, &used).await, "rule: a use prolongs");
    let until = limits.absolute;
    let mut passed = almost * 2;
    while passed < until {
        tokio::time::advance(almost).await;
        passed += almost;
        finds(store, &used).await;
    }
    assert!(
        !finds(store, &used).await,
        "rule: no use prolongs beyond the absolute limit"
    );

    let tried = session("ann", "demo");
    tried.set_initialized();
    store.open(tried.clone()).await;
    tokio::time::advance(almost).await;
    assert!(
        store
            .find(tried.id().as_str(), session("bob", "demo").owner())
            .await
            .is_none()
    );
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(
        !finds(store, &tried).await,
        "rule: what a wrong owner does is no use"
    );

    let idle = session("ann", "demo");
    idle.set_initialized();
    store.open(idle.clone()).await;
    tokio::time::advance(limits.idle).await;
    assert_eq!(store.count().await, 0, "rule: what has expired is gone");
    assert!(!idle.is_open(), "rule: what has expired has ended");
}

async fn use_ends_when_it_ends(store: &impl SessionStore, limits: SessionLimits) {
    let used = session("ann", "demo");
    used.set_initialized();
    store.open(used.clone()).await;
    let (long, short) = (limits.idle * 2, limits.idle - Duration::from_secs(1));
    let id = MessageId::new(RawJson::string("1")).expect("a text is an id");

    let call = used.calls().enter(&id, CancellationToken::new());
    tokio::time::advance(long).await;
    drop(call);
    tokio::time::advance(short).await;
    assert!(finds(store, &used).await, "rule: a call is a use until it ends");

    let reader = used.outbox().attach();
    tokio::time::advance(long).await;
    drop(reader);
    tokio::time::advance(short).await;
    assert!(
        finds(store, &used).await,
        "rule: a stream is a use until it is left"
    );

    drop(used.outbox().attach());
    tokio::time::advance(limits.idle).await;
    assert!(!finds(store, &used).await, "rule: a use that has ended is over");
}
