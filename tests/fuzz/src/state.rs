//! The sealed state that clients keep.
//!
//! Lines: the state, then twice a principal, a namespace and a request, then a place to alter and how, then a text that somebody made up.

use std::{
    sync::LazyLock,
    time::{Duration, SystemTime},
};

use tooldock_engine::{NamespaceName, RawJson, context::Principal, json::ScanLimits};
use tooldock_mcp::{
    SealKey,
    testing::{StateKeeper, StateOwner},
    wire::{Message, Request},
};

/// Sealed state opens for its owner, and neither for another one, nor later, nor with any bit of it altered.
pub fn check(input: &[u8], planted: bool) {
    let Some(scene) = std::str::from_utf8(input).ok().and_then(Scene::read) else {
        return;
    };
    let [ours, theirs] = &scene.owners;
    let now = SystemTime::now();
    let sealed = KEEPER
        .seal(scene.state.clone(), LIFE, ours.as_owner())
        .expect("the system gives random bytes");
    assert_eq!(
        KEEPER.open(&sealed, now, ours.as_owner()),
        Some(scene.state.clone()),
        "its owner cannot open it"
    );
    let late = now + LIFE + Duration::from_secs(2);
    assert_eq!(
        KEEPER.open(&sealed, late, ours.as_owner()),
        None,
        "it has expired"
    );

    let opened = open(&sealed, now, theirs, ours, planted);
    assert_eq!(
        opened.is_some(),
        ours.bound() == theirs.bound(),
        "it belongs to {:?}",
        ours.bound()
    );

    let mut altered = sealed.clone().into_bytes();
    let at = scene.at % altered.len();
    altered[at] ^= scene.change;
    for text in [&String::from_utf8_lossy(&altered), &sealed[..at], scene.made_up] {
        assert!(
            *text == sealed || KEEPER.open(text, now, ours.as_owner()).is_none(),
            "`{text}` opens"
        );
    }
    let other = StateKeeper::new(SealKey::generate().expect("the system gives random bytes"));
    assert_eq!(
        other.open(&sealed, now, ours.as_owner()),
        None,
        "another key opens it"
    );
}

const LIFE: Duration = Duration::from_secs(300);

static KEEPER: LazyLock<StateKeeper> = LazyLock::new(|| StateKeeper::new(SealKey::from_bytes([7; 32])));

struct Owner {
    principal: Principal,
    namespace: NamespaceName,
    request: Request,
}

impl Owner {
    fn read<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        let (principal, namespace, message) = (lines.next()?, lines.next()?, lines.next()?);
        let json = RawJson::scan(message.to_owned(), ScanLimits::MESSAGE).ok()?;
        let Ok(Message::Request(request)) = Message::read(&json) else {
            return None;
        };
        Some(Self {
            principal: Principal::new(principal),
            namespace: namespace.parse().ok()?,
            request,
        })
    }

    fn as_owner(&self) -> StateOwner<'_> {
        StateOwner {
            principal: &self.principal,
            namespace: &self.namespace,
            request: &self.request,
        }
    }

    /// What the state is bound to.
    fn bound(&self) -> impl PartialEq + std::fmt::Debug {
        let params =
            ["name", "uri", "arguments"].map(|name| self.request.params.get(name).map(RawJson::as_str));
        (
            self.principal.name(),
            self.namespace.as_str(),
            &self.request.method,
            params,
        )
    }
}

struct Scene<'a> {
    state: Option<RawJson>,
    owners: [Owner; 2],
    at: usize,
    change: u8,
    made_up: &'a str,
}

impl<'a> Scene<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let mut lines = text.lines();
        let state = match lines.next()? {
            "" => None,
            state => Some(RawJson::scan(state.to_owned(), ScanLimits::MESSAGE).ok()?),
        };
        Some(Self {
            state,
            owners: [Owner::read(&mut lines)?, Owner::read(&mut lines)?],
            at: lines.next()?.parse().ok()?,
            change: lines.next()?.parse().ok()?,
            made_up: lines.next()?,
        })
    }
}

/// The bug: the arguments are not bound.
fn open(
    sealed: &str,
    now: SystemTime,
    theirs: &Owner,
    ours: &Owner,
    planted: bool,
) -> Option<Option<RawJson>> {
    let named = |owner: &Owner| {
        let params = ["name", "uri"].map(|name| owner.request.params.get(name).cloned());
        (owner.request.method.clone(), params)
    };
    let mut owner = theirs.as_owner();
    if planted && named(theirs) == named(ours) {
        owner.request = &ours.request;
    }
    KEEPER.open(sealed, now, owner)
}
