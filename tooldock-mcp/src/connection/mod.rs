//! The waist of this crate: a conversation that takes messages and gives replies, whatever carries them.

mod batch;
mod info;
mod outbox;
mod reply;

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    task::{Context, Poll},
};

use futures_util::{future::BoxFuture, stream};
use tooldock_engine::{
    Mount,
    json::{JsonFault, Outline},
};

pub use self::{
    info::ConnectionInfo,
    outbox::{Outbox, OutboxReader},
    reply::{Answer, Reply, ReplyStream},
};
use crate::{
    call::Calls,
    dispatch::dispatch,
    era::{Ask, Exchange, Route, SessionFact, classify},
    refusal::{Refusal, code},
    server::Server,
    session::Session,
    watch::{ListWatch, Notices, Place},
    wire::{LEVELS, Message},
};

/// A conversation with one client in one namespace: a [`tower_service::Service`] from [`Message`] to [`Reply`].
///
/// Streamable HTTP is an adapter on it, and so is any transport of yours: read messages, call, write what the reply holds; and
/// write what a [watch](Self::watch) gives. Clones are the same conversation.
///
/// Both eras may be spoken on one connection. A call of the handshake era goes on when its reply is dropped; a call of the modern era
/// ends with it.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// use std::sync::Arc;
/// use tooldock_engine::{Caller, Mount, RawJson, StaticEngine, json::ScanLimits};
/// use tooldock_mcp::{ConnectionInfo, Reply, Server, wire::Message};
/// use tower_service::Service as _;
///
/// let engine = Arc::new(StaticEngine::builder().build()?);
/// let server = Server::builder(Arc::new(Mount { namespace: "demo".parse()?, engine })).build();
/// let mut connection = server.connect(ConnectionInfo::new(Caller::local(), "demo".parse()?));
///
/// let text = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
///     "capabilities":{},"clientInfo":{"name":"me","version":"1"}}}"#;
/// let message = Message::read(&RawJson::scan(text, ScanLimits::MESSAGE)?).expect("a message");
/// let Reply::One(answer) = connection.call(message).await? else { panic!("an answer") };
/// assert!(answer.body.as_str().starts_with(r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct Connection(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) server: Server,
    pub(crate) info: ConnectionInfo,
    session: Mutex<Option<Arc<Session>>>,
    /// Made when it is first wanted, which most exchanges over HTTP never do.
    outbox: OnceLock<Arc<Outbox>>,
    /// Modern calls that run, for transports on which a message cancels them.
    pub(crate) calls: Arc<Calls>,
}

impl Connection {
    pub(crate) fn new(server: Server, info: ConnectionInfo, session: Option<Arc<Session>>) -> Self {
        let outbox = session.as_ref().map(|session| session.outbox().clone());
        Self(Arc::new(Inner {
            server,
            info,
            session: Mutex::new(session),
            outbox: outbox.map(OnceLock::from).unwrap_or_default(),
            calls: Arc::default(),
        }))
    }

    /// Reads a message from the text of a frame, within the server's limits.
    ///
    /// # Errors
    /// The answer to send instead: the text is no JSON, or no message.
    pub fn read(&self, text: impl Into<bytes::Bytes>) -> Result<Message, Answer> {
        read(&self.0.server, text.into())
    }

    /// The session that `initialize` opened, if it did.
    #[must_use]
    pub fn session(&self) -> Option<Arc<Session>> {
        self.0
            .session
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// What the server sends on its own in the session, for as long as the session is open and the server is not shutting down.
    ///
    /// Several streams may be open; each message goes to the newest.
    ///
    /// # Errors
    /// There is no session yet, the caller has too many streams open, or the server is shutting down.
    pub fn watch(&self) -> Result<ReplyStream, Refusal> {
        let messages = stream::unfold(self.notices()?, async |mut notices| {
            Some((notices.next().await?, notices))
        });
        Ok(ReplyStream::new(messages))
    }

    /// What the server sends on its own, as [`watch`](Self::watch) gives it.
    pub(crate) fn notices(&self) -> Result<Notices, Refusal> {
        let places = &self.0.server.shared().places;
        self.notices_at(places.take(&self.0.info.caller.principal)?)
    }

    /// The same for a stream that has its place already.
    pub(crate) fn notices_at(&self, place: Place) -> Result<Notices, Refusal> {
        let server = &self.0.server;
        server.admit()?;
        let session = self.session().ok_or_else(|| {
            Refusal::bad(
                code::INVALID_REQUEST,
                "there is nothing to watch before `initialize` has opened a session",
            )
        })?;
        let shared = server.shared();
        let cx = self.0.info.context(&session.owner().namespace);
        let watch = ListWatch::begin(server, cx, session.revision());
        Ok(Notices::open(&session, watch, shared.closing.clone(), place))
    }

    /// Where messages go that the server sends on its own.
    pub(crate) fn outbox(&self) -> &Arc<Outbox> {
        let readers = self.0.server.settings().sessions.streams;
        self.0
            .outbox
            .get_or_init(|| Arc::new(Outbox::with_readers(readers)))
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    /// Makes `session` the one of this conversation; an earlier one ends when nothing else holds it.
    pub(crate) fn open(&self, session: Arc<Session>) {
        *self.0.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
    }

    /// What is known of the session, for the decision about a message.
    pub(crate) fn session_fact(&self) -> SessionFact {
        match self.session() {
            Some(session) if session.is_open() => SessionFact::Open(session.revision()),
            Some(_) => SessionFact::Unknown,
            None => SessionFact::Unnamed,
        }
    }

    /// Answers a message whose route is decided, on an engine that is found.
    pub(crate) async fn serve(&self, mount: Mount, route: Route, message: Message) -> Reply {
        match message {
            Message::Batch(parts) => batch::answer(self, &mount, route, parts).await,
            message => dispatch(self, mount, route, message).await,
        }
    }

    async fn decide_and_serve(self, message: Message) -> Reply {
        let info = &self.0.info;
        let route = classify(&Exchange {
            ask: Ask::Send(&message),
            headers: None,
            session: self.session_fact(),
            spoken: self.0.server.settings().revisions,
        });
        let mount = self
            .0
            .server
            .shared()
            .mounts
            .mount(&info.caller, info.namespace.as_str());
        match (route, mount) {
            (Ok(route), Ok(mount)) => self.serve(mount, route, message).await,
            (Err(refusal), _) => refuse(&message, &refusal),
            (_, Err(error)) => refuse(&message, &Refusal::from(&error)),
        }
    }
}

/// Notifications are never answered, not even with an error.
fn refuse(message: &Message, refusal: &Refusal) -> Reply {
    match message {
        Message::Notification(_) => Reply::Nothing,
        _ => Reply::One(refusal.answer(message.id())),
    }
}

pub(crate) fn read(server: &Server, text: bytes::Bytes) -> Result<Message, Answer> {
    let unreadable = |fault: JsonFault| {
        let code = if fault.problem.is_json() {
            code::INVALID_REQUEST
        } else {
            code::PARSE
        };
        Refusal::bad(code, format!("{fault}; {}", fault.problem.remedy())).answer(None)
    };
    let outline = Outline::scan(text, server.settings().message_limits, LEVELS).map_err(unreadable)?;
    Message::of(&outline).map_err(|malformed| Refusal::from(&malformed).answer(malformed.id.as_ref()))
}

impl tower_service::Service<Message> for Connection {
    type Response = Reply;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Reply, Infallible>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, message: Message) -> Self::Future {
        let connection = self.clone();
        Box::pin(async move { Ok(connection.decide_and_serve(message).await) })
    }
}
