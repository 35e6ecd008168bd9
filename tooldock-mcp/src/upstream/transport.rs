//! A server that is reached over Streamable HTTP.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http::HeaderMap;
use tokio::{
    sync::{Semaphore, SemaphorePermit, watch},
    time::timeout,
};
use tooldock_engine::{RawJson, json::ObjectWriter};

use super::{
    Incoming, UpstreamError, UpstreamSettings, Watching, agreed::Agreed, endpoint::Endpoint,
    learned::Learned, mirror::mirrored, posted::Posted, standing::Standing,
};
use crate::{
    refusal::code,
    wire::{Message, Params, names},
};

/// Pages of tools that are read to find one.
const PAGES: usize = 100;
/// How long taking leave may take.
const LEAVE: Duration = Duration::from_secs(2);

/// A server that is reached over Streamable HTTP: takes messages of a client and gives what the server says to them, in both eras.
///
/// It adds what the transport wants and the messages do not hold: the session and the revision to messages of a session, the headers
/// that repeat parts of a message to those that describe themselves. A session that the server has forgotten is opened again, with the
/// `initialize` that opened it, and told what counted in the old one: the log level, watched resources. No request is sent twice, unless the server has refused it undone. Clones are the same client.
///
/// ```no_run
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// use tooldock_engine::{RawJson, json::ScanLimits};
/// use tooldock_mcp::upstream::{Upstream, UpstreamSettings};
///
/// let upstream = Upstream::new(UpstreamSettings::new("http://127.0.0.1:8000/demo/mcp".parse()?))?;
/// let discover = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
/// let mut incoming = upstream.send(RawJson::scan(discover, ScanLimits::MESSAGE)?).await?;
/// while let Some(message) = incoming.next().await {
///     println!("{}", message?);
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Upstream(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    endpoint: Arc<Endpoint>,
    agreed: Mutex<Option<Arc<Agreed>>>,
    learned: Learned,
    standing: Standing,
    /// One session is opened at a time.
    opening: Semaphore,
    renewals: watch::Sender<u64>,
}

impl Upstream {
    /// A client of the server that `settings` name. Sends nothing yet.
    ///
    /// # Errors
    /// When the system's certificates cannot be used.
    pub fn new(settings: UpstreamSettings) -> Result<Self, UpstreamError> {
        Ok(Self(Arc::new(Inner {
            endpoint: Arc::new(Endpoint::new(settings)?),
            agreed: Mutex::default(),
            learned: Learned::default(),
            standing: Standing::default(),
            opening: Semaphore::new(1),
            renewals: watch::Sender::new(0),
        })))
    }

    /// Sends one message of a client.
    ///
    /// # Errors
    /// When there is no answer to be expected; an error of JSON-RPC is an answer.
    ///
    /// # Cancel safety
    /// Whether the message was sent is then unknown.
    pub async fn send(&self, json: RawJson) -> Result<Incoming, UpstreamError> {
        let message = Message::read(&json).map_err(|fault| self.endpoint().foreign(fault.reason))?;
        let claim = message.params().filter(|params| params.meta().is_claim());
        let method = match &message {
            Message::Request(request) => &*request.method,
            Message::Notification(notification) => &*notification.method,
            Message::Response(_) | Message::Batch(_) => "",
        };
        if let Some(params) = claim {
            let posted = self.post_claim(&json, method, params).await?;
            return Incoming::of(self, posted, &message, None);
        }
        if method == "initialize" {
            let _turn = self.turn().await;
            let answer = self.open(json, &message).await?;
            self.standing().clear();
            return Ok(Incoming::one(self, answer));
        }
        let mut agreed = self.agreed();
        let mut posted = self.post_in(&json, agreed.as_deref()).await?;
        if let Some(old) = agreed
            .as_ref()
            .filter(|old| posted.status == 404 && old.has_session())
        {
            self.renew(old).await?;
            agreed = self.agreed();
            posted = self.post_in(&json, agreed.as_deref()).await?;
        }
        if let Message::Request(request) = &message
            && posted.status == 200
        {
            self.standing().note(request, &json);
        }
        Incoming::of(self, posted, &message, agreed)
    }

    /// What the server says on its own in the session that is open.
    #[must_use]
    pub fn watch(&self) -> Watching {
        Watching::new(self)
    }

    /// Counts how often a session was opened again; what was said in between, and what the server knew of the old session, is lost.
    #[must_use]
    pub fn renewals(&self) -> watch::Receiver<u64> {
        self.0.renewals.subscribe()
    }

    /// Ends the session, if there is one, so that the server need not keep it. Takes at most 2 s.
    ///
    /// # Cancel safety
    /// Safe; the server then ends it in its own time.
    pub async fn leave(&self) {
        let agreed = self.agreed().filter(|agreed| agreed.has_session());
        if let Some(agreed) = agreed {
            let mut headers = HeaderMap::new();
            agreed.extend(&mut headers);
            timeout(LEAVE, self.endpoint().delete(headers)).await.ok();
        }
    }

    pub(super) fn endpoint(&self) -> &Arc<Endpoint> {
        &self.0.endpoint
    }

    pub(super) fn learned(&self) -> &Learned {
        &self.0.learned
    }

    pub(super) fn standing(&self) -> &Standing {
        &self.0.standing
    }

    pub(super) fn agreed(&self) -> Option<Arc<Agreed>> {
        self.lock().clone()
    }

    pub(super) fn agree(&self, agreed: Agreed) {
        *self.lock() = Some(Arc::new(agreed));
    }

    pub(super) fn renewed(&self) {
        self.0.renewals.send_modify(|count| *count += 1);
    }

    pub(super) async fn turn(&self) -> SemaphorePermit<'_> {
        self.0.opening.acquire().await.expect("it is never closed")
    }

    pub(super) async fn post(&self, json: &RawJson, headers: HeaderMap) -> Result<Posted, UpstreamError> {
        let response = self.endpoint().post(json.clone().into_bytes(), headers).await?;
        Posted::read(self.endpoint(), response).await
    }

    async fn post_in(&self, json: &RawJson, agreed: Option<&Agreed>) -> Result<Posted, UpstreamError> {
        let mut headers = HeaderMap::new();
        if let Some(agreed) = agreed {
            agreed.extend(&mut headers);
        }
        self.post(json, headers).await
    }

    /// Sends a message that describes itself. If the server misses a header, its tools are listed and the call, which was refused
    /// undone, is sent once more (2026-07-28, Transports).
    async fn post_claim(
        &self,
        json: &RawJson,
        method: &str,
        params: &Params,
    ) -> Result<Posted, UpstreamError> {
        let tool = params
            .text("name")
            .filter(|_| method == "tools/call")
            .unwrap_or_default();
        let headers = || mirrored(method, params, &self.learned().marks(&tool).unwrap_or_default());
        let posted = self.post(json, headers()).await?;
        let misses = posted.status == 400 && posted.code() == Some(code::HEADER_MISMATCH.into());
        if tool.is_empty() || !misses {
            return Ok(posted);
        }
        self.list(params).await?;
        self.post(json, headers()).await
    }

    /// Reads the list of tools, on behalf of whoever sent a message with `params`.
    async fn list(&self, params: &Params) -> Result<(), UpstreamError> {
        let mut cursor = None;
        for page in 0..PAGES {
            let request = list_request(page, params, cursor.as_ref());
            let message = Message::read(&request).map_err(|fault| self.endpoint().foreign(fault.reason))?;
            let asked = message.params().expect("it is a request");
            let posted = self.post(&request, mirrored("tools/list", asked, &[])).await?;
            let answer = Incoming::of(self, posted, &message, None)?.answer().await?;
            #[derive(serde::Deserialize)]
            struct Answer<'a> {
                #[serde(borrow)]
                result: Option<Page<'a>>,
            }
            #[derive(serde::Deserialize)]
            struct Page<'a> {
                #[serde(borrow, rename = "nextCursor")]
                next: Option<&'a serde_json::value::RawValue>,
            }
            let read: Option<Answer<'_>> = answer.parse().ok();
            let next = read.and_then(|read| read.result?.next);
            cursor = next.map(|next| answer.part(next).detached());
            if cursor.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Arc<Agreed>>> {
        self.0.agreed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request for one page of the list of tools, by the same client as `params`.
fn list_request(page: usize, params: &Params, cursor: Option<&RawJson>) -> RawJson {
    let mut out = ObjectWriter::new();
    out.string("jsonrpc", "2.0")
        .string("id", &format!("tooldock-tools-{page}"))
        .string("method", "tools/list")
        .object("params", |out| {
            out.maybe("cursor", cursor).object("_meta", |meta| {
                for name in [
                    names::PROTOCOL_VERSION,
                    names::CLIENT_CAPABILITIES,
                    names::CLIENT_INFO,
                ] {
                    meta.maybe(name, params.meta().get(name));
                }
            });
        });
    out.finish()
}
