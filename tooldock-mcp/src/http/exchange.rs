//! One HTTP request on its way to a connection.

use std::sync::Arc;

use http::{HeaderMap, request::Parts};
use tooldock_engine::{
    Caller, EngineError, ErrorKind, Mount, NamespaceName,
    context::{RequestId, TraceContext},
};

use super::response::Rejected;
use crate::{
    connection::ConnectionInfo,
    era::{SessionFact, Single},
    refusal::{Refusal, code},
    server::Server,
    session::{Owner, Session},
};

/// The sender of one HTTP request, before its message is read.
pub(crate) struct Visitor {
    pub(crate) server: Server,
    pub(crate) mount: Mount,
    pub(crate) info: ConnectionInfo,
}

/// The name of the header that names a session.
pub(crate) const SESSION: &str = "mcp-session-id";

impl Visitor {
    /// Finds out who it is and whose tools it wants; the namespace is known before the body is read.
    pub(crate) fn enter(server: &Server, mut parts: Parts) -> Result<Self, Rejected> {
        let refused = |error: &EngineError| Rejected::from(Refusal::from(error));
        let caller = parts.extensions.remove::<Caller>().ok_or_else(|| {
            refused(&EngineError::new(
                ErrorKind::Unauthorized,
                "the request carries no credentials",
            ))
        })?;
        let namespace = parts.extensions.remove::<NamespaceName>().ok_or_else(|| {
            refused(&EngineError::new(
                ErrorKind::NamespaceMissing,
                "the request names no namespace; use `/{namespace}/mcp`",
            ))
        })?;
        let mount = server
            .shared()
            .mounts
            .mount(&caller, namespace.as_str())
            .map_err(|error| refused(&error))?;
        let mut info = ConnectionInfo::new(caller, namespace);
        info.request_id = parts.extensions.remove::<RequestId>();
        info.trace = TraceContext::read(&parts.headers);
        info.headers = Some(parts.headers);
        Ok(Self {
            server: server.clone(),
            mount,
            info,
        })
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        self.info
            .headers
            .as_ref()
            .expect("they were put there on entering")
    }

    /// The session the request names, if it is open and this caller's in this namespace.
    pub(crate) async fn session(&self) -> Result<(SessionFact, Option<Arc<Session>>), Rejected> {
        let id = match Single::read(self.headers(), SESSION) {
            Single::Absent => return Ok((SessionFact::Unnamed, None)),
            Single::One(id) => id,
            Single::Unclear => return Err(repeated("Mcp-Session-Id")),
        };
        let found = self.server.sessions().find(id, &self.owner()).await;
        let fact = found.as_ref().map_or(SessionFact::Unknown, |session| {
            SessionFact::Open(session.revision())
        });
        Ok((fact, found))
    }

    pub(crate) fn owner(&self) -> Owner {
        Owner {
            principal: self.info.caller.principal.clone(),
            namespace: self.mount.namespace.clone(),
        }
    }
}

/// The refusal of a header that may occur once.
pub(crate) fn repeated(header: &str) -> Rejected {
    Refusal::bad(
        code::INVALID_REQUEST,
        format!("the header `{header}` must occur once and be plain ASCII"),
    )
    .into()
}
