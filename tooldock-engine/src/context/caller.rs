//! Who calls, and through which door.

use std::{net::IpAddr, sync::Arc};

use super::Principal;

/// The protocol a call came through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Door {
    /// The Model Context Protocol.
    Mcp,
    /// REST.
    Rest,
    /// The embedding program itself.
    Local,
}

impl Door {
    /// The name in logs and metrics.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Rest => "rest",
            Self::Local => "local",
        }
    }
}

/// The id under which logs, errors and audit tell of one HTTP request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(pub Arc<str>);

/// Who calls.
///
/// HTTP doors find it, with a [`NamespaceName`](crate::NamespaceName) and a [`RequestId`], among the extensions of a request;
/// the layers in front of them put it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The identity.
    pub principal: Principal,
    /// The protocol.
    pub door: Door,
    /// The network address, when there is one.
    pub peer: Option<IpAddr>,
}

impl Caller {
    /// The embedding program itself.
    #[must_use]
    pub fn local() -> Self {
        Self {
            principal: Principal::new("local"),
            door: Door::Local,
            peer: None,
        }
    }
}
