//! Everything a call carries besides its request.

mod caller;
mod client;
mod clock;
mod facts;
mod principal;
mod rights;
mod steps;
mod trace;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

pub use self::{
    caller::{Caller, Door, RequestId},
    client::{
        Ask, AskKind, Client, ClientChannel, LogLevel, NOTES_WAITING, Note, NoteReceiver, Silent,
        note_channel,
    },
    clock::Clock,
    facts::Facts,
    principal::Principal,
    rights::Rights,
    steps::{OpenStep, Step, Steps},
    trace::{TraceContext, TraceIds},
};
use crate::name::NamespaceName;

/// Everything a call carries besides its request: who calls, where, how long, and the way back to the client.
///
/// Cloning is cheap; clones are the same call.
///
/// ```
/// use tooldock_engine::{CallContext, Caller};
/// let cx = CallContext::new(Caller::local(), "demo".parse()?);
/// assert_eq!(cx.namespace().as_str(), "demo");
/// assert!(!cx.cancelled().is_cancelled());
/// # Ok::<(), tooldock_engine::name::NameError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CallContext(Arc<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    caller: Caller,
    namespace: NamespaceName,
    request_id: Option<Arc<str>>,
    protocol: Option<&'static str>,
    client: Client,
    cancel: CancellationToken,
    clock: Clock,
    facts: Facts,
    revision: Option<u64>,
    trace: TraceContext,
    steps: Option<Steps>,
    extensions: http::Extensions,
}

impl CallContext {
    /// A call of `caller` in `namespace`, with no client to talk back to.
    #[must_use]
    pub fn new(caller: Caller, namespace: NamespaceName) -> Self {
        let clock = Clock::new();
        Self(Arc::new(Parts {
            caller,
            namespace,
            request_id: None,
            protocol: None,
            client: Client::silent(clock.clone()),
            cancel: CancellationToken::new(),
            clock,
            facts: Facts::default(),
            revision: None,
            trace: TraceContext::default(),
            steps: None,
            extensions: http::Extensions::new(),
        }))
    }

    fn change(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// Sets the id under which logs tell of this call.
    ///
    /// ```
    /// # use tooldock_engine::{CallContext, Caller};
    /// let cx = CallContext::new(Caller::local(), "demo".parse()?).with_request_id("req-7");
    /// assert_eq!(cx.request_id(), "req-7");
    /// # Ok::<(), tooldock_engine::name::NameError>(())
    /// ```
    #[must_use]
    pub fn with_request_id(self, id: impl Into<Arc<str>>) -> Self {
        self.change(|parts| parts.request_id = Some(id.into()))
    }

    /// Sets the revision of the protocol that the client speaks, as it names itself: `2025-11-25`.
    #[must_use]
    pub fn with_protocol(self, revision: &'static str) -> Self {
        self.change(|parts| parts.protocol = Some(revision))
    }

    /// Sets the way back to the client.
    #[must_use]
    pub fn with_client(self, client: impl ClientChannel) -> Self {
        let clock = self.0.clock.clone();
        self.change(|parts| parts.client = Client::new(client, clock))
    }

    /// Sets the token that cancels the call.
    ///
    /// ```
    /// # use tooldock_engine::{CallContext, Caller};
    /// # use tokio_util::sync::CancellationToken;
    /// let cancel = CancellationToken::new();
    /// let cx = CallContext::new(Caller::local(), "demo".parse()?).with_cancel(cancel.child_token());
    /// cancel.cancel();
    /// assert!(cx.cancelled().is_cancelled());
    /// # Ok::<(), tooldock_engine::name::NameError>(())
    /// ```
    #[must_use]
    pub fn with_cancel(self, cancel: CancellationToken) -> Self {
        self.change(|parts| parts.cancel = cancel)
    }

    /// Sets the revision of the set of namespaces that serves the call, where its owner counts revisions.
    #[must_use]
    pub fn with_revision(self, revision: u64) -> Self {
        self.change(|parts| parts.revision = Some(revision))
    }

    /// Sets the trace this call belongs to.
    #[must_use]
    pub fn with_trace(self, trace: TraceContext) -> Self {
        self.change(|parts| parts.trace = trace)
    }

    /// Lets `steps` take down what the call goes through.
    #[must_use]
    pub fn with_steps(self, steps: Steps) -> Self {
        self.change(|parts| parts.steps = Some(steps))
    }

    /// Adds a value for layers and engines that know its type.
    ///
    /// ```
    /// # use tooldock_engine::{CallContext, Caller};
    /// #[derive(Clone)]
    /// struct Tenant(&'static str);
    ///
    /// let cx = CallContext::new(Caller::local(), "demo".parse()?).with_extension(Tenant("acme"));
    /// assert_eq!(cx.extensions().get::<Tenant>().map(|tenant| tenant.0), Some("acme"));
    /// # Ok::<(), tooldock_engine::name::NameError>(())
    /// ```
    #[must_use]
    pub fn with_extension<T: Clone + Send + Sync + 'static>(self, value: T) -> Self {
        self.change(|parts| drop(parts.extensions.insert(value)))
    }

    /// Who calls.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.0.caller
    }

    /// In which namespace.
    #[must_use]
    pub fn namespace(&self) -> &NamespaceName {
        &self.0.namespace
    }

    /// The id under which logs tell of this call; empty when nobody set one.
    #[must_use]
    pub fn request_id(&self) -> &str {
        self.0.request_id.as_deref().unwrap_or_default()
    }

    /// The revision of the protocol that the client speaks, where the door has several.
    #[must_use]
    pub fn protocol(&self) -> Option<&'static str> {
        self.0.protocol
    }

    /// The way back to the client.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.0.client
    }

    /// The token that says the caller no longer wants an answer.
    #[must_use]
    pub fn cancelled(&self) -> &CancellationToken {
        &self.0.cancel
    }

    /// The clock of the call; it stands still while the call asks the client something.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// What is known of the call so far.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.0.facts
    }

    /// The revision of the set of namespaces that serves the call, where its owner counts revisions.
    #[must_use]
    pub fn revision(&self) -> Option<u64> {
        self.0.revision
    }

    /// The trace this call belongs to.
    #[must_use]
    pub fn trace(&self) -> &TraceContext {
        &self.0.trace
    }

    /// Who takes down what the call goes through, if anybody does.
    #[must_use]
    pub fn steps(&self) -> Option<&Steps> {
        self.0.steps.as_ref()
    }

    /// What layers and doors added.
    #[must_use]
    pub fn extensions(&self) -> &http::Extensions {
        &self.0.extensions
    }
}
