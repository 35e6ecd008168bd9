//! Sealed state as tests make it and read it.

use std::time::{Duration, SystemTime};

use tooldock_engine::{NamespaceName, RawJson, context::Principal, error::Result};

use super::{SealKey, Subject, seal::Seal, ticket::Ticket};
use crate::wire::Request;

/// Seals the state of requests as a server of the modern era does, and reads what clients bring back, for tests that make up others.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use tooldock_engine::{RawJson, context::Principal, json::ScanLimits};
/// use tooldock_mcp::{SealKey, testing::{StateKeeper, StateOwner}, wire::Message};
/// let json = RawJson::scan(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}"#, ScanLimits::MESSAGE)?;
/// let Ok(Message::Request(request)) = Message::read(&json) else { unreachable!("it is one") };
/// let (principal, namespace) = (Principal::new("ann"), "demo".parse()?);
/// let owner = StateOwner { principal: &principal, namespace: &namespace, request: &request };
/// let keeper = StateKeeper::new(SealKey::from_bytes([7; 32]));
/// let sealed = keeper.seal(Some(RawJson::string("kept")), Duration::from_secs(300), owner)?;
/// assert_eq!(keeper.open(&sealed, SystemTime::now(), owner), Some(Some(RawJson::string("kept"))));
/// assert_eq!(keeper.open("made up", SystemTime::now(), owner), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StateKeeper(Seal);

/// Whose state it is.
#[derive(Debug, Clone, Copy)]
pub struct StateOwner<'a> {
    /// Who asked.
    pub principal: &'a Principal,
    /// Which namespace.
    pub namespace: &'a NamespaceName,
    /// For what: method, name and arguments count.
    pub request: &'a Request,
}

impl StateOwner<'_> {
    fn subject(self) -> Subject {
        Subject::new(self.principal, self.namespace, self.request)
    }
}

impl StateKeeper {
    /// With this key.
    #[must_use]
    pub fn new(key: SealKey) -> Self {
        Self(Seal::new(Some(key)))
    }

    /// The text that the client keeps, valid for `life`; `state` is that of an engine that keeps none itself.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn seal(&self, state: Option<RawJson>, life: Duration, owner: StateOwner<'_>) -> Result<String> {
        let ticket = Ticket::issue(life, 0, state)?;
        self.0.seal(&ticket.to_bytes(), &owner.subject())
    }

    /// The state in what a client sends back at `now`; nothing if it is none, another's, or has expired.
    #[must_use]
    pub fn open(&self, text: &str, now: SystemTime, owner: StateOwner<'_>) -> Option<Option<RawJson>> {
        let ticket = Ticket::read(&self.0.open(text, &owner.subject())?, now)?;
        Some(ticket.state)
    }
}
