//! Resources and templates as they are listed.

use crate::{json::RawJson, request::ResourceUri};

/// A resource as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resource {
    /// Its address.
    pub uri: ResourceUri,
    /// Its name.
    pub name: String,
    /// The name people read.
    pub title: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// Its media type.
    pub mime_type: Option<String>,
    /// Bytes, if known.
    pub size: Option<u64>,
    /// MCP annotations: an object.
    pub annotations: Option<RawJson>,
    /// MCP icons: an array.
    pub icons: Option<RawJson>,
    /// `_meta`: an object.
    pub meta: Option<RawJson>,
}

impl Resource {
    /// A resource that has an address and a name.
    #[must_use]
    pub fn new(uri: impl Into<ResourceUri>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }
}

/// A family of resources, addressed by an RFC 6570 template.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// The template of the addresses.
    pub uri_template: String,
    /// Its name.
    pub name: String,
    /// The name people read.
    pub title: Option<String>,
    /// What they hold.
    pub description: Option<String>,
    /// Their media type, if they share one.
    pub mime_type: Option<String>,
    /// MCP annotations: an object.
    pub annotations: Option<RawJson>,
    /// MCP icons: an array.
    pub icons: Option<RawJson>,
    /// `_meta`: an object.
    pub meta: Option<RawJson>,
}

impl ResourceTemplate {
    /// A template that has addresses and a name.
    #[must_use]
    pub fn new(uri_template: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri_template: uri_template.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }
}
