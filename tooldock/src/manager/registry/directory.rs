//! The list of servers: searched page by page.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{Server, Status, server::text};
use crate::{
    manager::repo::SourceError,
    outbound::{Outbound, OutboundError},
};

/// Bytes that one answer may have.
const ANSWER: usize = 4 << 20;
/// Servers on one page.
const PAGE: usize = 30;
/// Pages that are looked through for one package.
const PAGES: usize = 5;

const PART: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A registry with the official interface.
#[derive(Debug, Clone)]
pub struct Directory {
    base: String,
    client: Outbound,
}

/// A page of servers.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Listing {
    /// The servers on it, each once.
    pub servers: Vec<Server>,
    /// What asks for the next page; nothing on the last one.
    pub next: Option<String>,
}

impl Directory {
    /// The registry at an address of HTTPS, without a slash at its end.
    #[must_use]
    pub fn new(base: String, client: Outbound) -> Self {
        Self { base, client }
    }

    /// Servers whose names contain `query`, their newest versions; deleted ones are left out.
    ///
    /// # Errors
    /// The registry cannot be reached or does not answer as one.
    ///
    /// # Cancel safety
    /// Dropping it ends the request.
    pub async fn search(&self, query: &str, cursor: Option<&str>) -> Result<Listing, SourceError> {
        let mut path = format!(
            "/v0.1/servers?search={}&version=latest&limit={PAGE}",
            encoded(query)
        );
        if let Some(cursor) = cursor {
            path.push_str("&cursor=");
            path.push_str(&encoded(cursor));
        }
        let answer = self.get(&path).await?;
        let mut servers: Vec<Server> = Vec::new();
        for server in answer["servers"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Server::read)
        {
            if server.status != Status::Deleted && servers.iter().all(|known| known.name != server.name) {
                servers.push(server);
            }
        }
        let next = text(&answer["metadata"], &["nextCursor", "next_cursor"]).filter(|next| !next.is_empty());
        Ok(Listing { servers, next })
    }

    /// The server with this name, or the one that has a package with it.
    ///
    /// # Errors
    /// There is none, it was deleted, or the registry cannot be reached.
    ///
    /// # Cancel safety
    /// Dropping it ends the request.
    pub async fn find(&self, name: &str) -> Result<Server, SourceError> {
        let shown: String = name.chars().take(200).flat_map(char::escape_debug).collect();
        let missing = || {
            SourceError::Archive(format!(
                "no server in the registry has the name or the package `{shown}`; take one from `search_registry`"
            ))
        };
        let found = if name.contains('/') && !name.starts_with('@') {
            match self
                .get(&format!("/v0.1/servers/{}/versions/latest", encoded(name)))
                .await
            {
                Ok(answer) => Server::read(&answer).ok_or_else(missing)?,
                Err(SourceError::Outbound(OutboundError::Status { status: 404, .. })) => {
                    return Err(missing());
                }
                Err(error) => return Err(error),
            }
        } else {
            self.with_package(name).await?.ok_or_else(missing)?
        };
        if found.status == Status::Deleted {
            let reason = found.status_message.as_deref().unwrap_or("no reason is given");
            return Err(SourceError::Archive(format!(
                "`{shown}` was deleted from the registry: {reason}; choose another one"
            )));
        }
        Ok(found)
    }

    /// Names of servers often end like those of their packages.
    async fn with_package(&self, identifier: &str) -> Result<Option<Server>, SourceError> {
        let (query, mut cursor) = (identifier.rsplit('/').next().unwrap_or(identifier), None);
        for _ in 0..PAGES {
            let page = self.search(query, cursor.as_deref()).await?;
            let has = |server: &Server| {
                server
                    .packages
                    .iter()
                    .any(|package| package.identifier == identifier)
            };
            if let Some(server) = page.servers.into_iter().find(has) {
                return Ok(Some(server));
            }
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        Ok(None)
    }

    async fn get(&self, path: &str) -> Result<Value, SourceError> {
        let body = self
            .client
            .get(&format!("{}{path}", self.base), &[], ANSWER)
            .await?;
        serde_json::from_slice(&body).map_err(|_| {
            SourceError::Archive("the registry did not answer with JSON; check MCP_REGISTRY_URL".to_owned())
        })
    }
}

/// A part of a path or a query.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, PART).to_string()
}
