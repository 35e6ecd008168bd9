//! What is guarded, as others are told of it.

use std::sync::Arc;

use http::{HeaderValue, Uri};
use serde_json::{Value, json};
use tooldock_engine::NamespaceName;

use super::Scopes;
use crate::http::route::locate;

/// Where clients find out who makes tokens for a resource (RFC 9728).
const METADATA: &str = "/.well-known/oauth-protected-resource";

/// A gateway as its clients know it: its address, who makes tokens for it, and what their scopes mean. Cloning is cheap.
///
/// Nothing of it is taken from requests.
#[derive(Debug, Clone)]
pub struct Resource(Arc<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    base: String,
    issuer: String,
    scopes: Scopes,
}

/// An address that cannot be that of a gateway or an issuer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no address such as `https://tools.example.org`: without a user, a query or a fragment")]
pub struct BadAddress(String);

impl Resource {
    /// The gateway that clients reach at `base`, a prefix included; `issuer` makes the tokens, and is compared with what they say
    /// character by character.
    ///
    /// # Errors
    /// When one of them is no address of HTTP.
    pub fn new(base: &str, issuer: &str) -> Result<Self, BadAddress> {
        for address in [base, issuer] {
            let uri = address.parse::<Uri>().ok();
            let fit = uri.is_some_and(|uri| {
                matches!(uri.scheme_str(), Some("https" | "http"))
                    && uri.authority().is_some_and(|host| !host.as_str().contains('@'))
            });
            if !fit || address.contains(['?', '#', '"', '\\']) {
                return Err(BadAddress(address.escape_debug().to_string()));
            }
        }
        Ok(Self(Arc::new(Inner {
            base: base.trim_end_matches('/').to_owned(),
            issuer: issuer.to_owned(),
            scopes: Scopes::default(),
        })))
    }

    /// Reads scopes in another way.
    #[must_use]
    pub fn with_scopes(&self, scopes: Scopes) -> Self {
        Self(Arc::new(Inner {
            scopes,
            ..(*self.0).clone()
        }))
    }

    pub(super) fn issuer(&self) -> &str {
        &self.0.issuer
    }

    pub(super) fn scopes(&self) -> &Scopes {
        &self.0.scopes
    }

    /// What the address that a token was made for means: nothing of ours, the gateway as a whole, or one namespace.
    pub(super) fn audience(&self, address: &str) -> Option<Option<Arc<str>>> {
        let path = address.strip_prefix(&self.0.base)?;
        if path.is_empty() || path == "/" {
            return Some(None);
        }
        // The next host may begin like ours.
        endpoint(path.starts_with('/').then_some(path)?)
    }

    /// The document about the endpoint at `path`, if there can be one. It says nothing about whether there is such a namespace.
    pub(crate) fn metadata(&self, path: &str) -> Option<Value> {
        // RFC 9728 has the whole path behind the well-known one, so that a prefix comes back.
        let prefix = self
            .0
            .base
            .splitn(4, '/')
            .nth(3)
            .map(|prefix| format!("/{prefix}"));
        let path = prefix
            .and_then(|prefix| path.strip_prefix(&prefix))
            .unwrap_or(path);
        let (namespace, path) = match path {
            "" | "/" => (None, ""),
            path => (endpoint(path)?, path),
        };
        Some(json!({
            "resource": format!("{}{path}", self.0.base),
            "authorization_servers": [self.0.issuer],
            "scopes_supported": [self.0.scopes.least(namespace.as_deref())],
            "bearer_methods_supported": ["header"],
        }))
    }

    /// What a refusal says besides its `error`: where the document is, and the least scope that would have been enough (RFC 6750, 3;
    /// RFC 9728, 5.1).
    pub(crate) fn challenge(&self, challenge: &HeaderValue, namespace: Option<&str>) -> HeaderValue {
        let namespace = namespace.filter(|name| name.parse::<NamespaceName>().is_ok());
        let (base, scope) = (&self.0.base, self.0.scopes.least(namespace));
        let path = namespace.map(|name| format!("/{name}/mcp")).unwrap_or_default();
        let told = challenge.to_str().unwrap_or("Bearer");
        let text = format!(r#"{told}, resource_metadata="{base}{METADATA}{path}", scope="{scope}""#);
        HeaderValue::try_from(text).unwrap_or_else(|_| challenge.clone())
    }
}

/// The namespace of an endpoint of MCP; nothing inside when it is named by a header.
fn endpoint(path: &str) -> Option<Option<Arc<str>>> {
    let meaning = locate(path);
    let mcp = meaning
        .route
        .is_some_and(|route| matches!(route.segment, "mcp" | "sse"));
    let fit = meaning
        .namespace
        .as_deref()
        .is_none_or(|name| name.parse::<NamespaceName>().is_ok());
    (mcp && fit).then_some(meaning.namespace)
}
