//! What a challenge says of how to get in.

#[cfg(feature = "oauth")]
use std::sync::Arc;

use http::{HeaderValue, request::Parts};

use super::Bearer;
#[cfg(feature = "oauth")]
use crate::http::{Located, Resource};

/// What a challenge to the sender of one request says of how to get in: nothing, or where there are tokens for what he asks for.
#[derive(Debug)]
pub(super) struct Advice {
    #[cfg(feature = "oauth")]
    resource: Option<(Resource, Option<Arc<str>>)>,
}

impl Advice {
    /// What `bearer` tells whoever has sent a request with this head.
    #[cfg_attr(not(feature = "oauth"), expect(unused_variables))]
    pub(super) fn new(bearer: &Bearer, head: &Parts) -> Self {
        Self {
            #[cfg(feature = "oauth")]
            resource: bearer.resource.clone().map(|resource| {
                let located = head.extensions.get::<Located>();
                (resource, located.and_then(|located| located.namespace.clone()))
            }),
        }
    }

    /// The challenge with it.
    pub(super) fn add(&self, challenge: HeaderValue) -> HeaderValue {
        #[cfg(feature = "oauth")]
        if let Some((resource, namespace)) = &self.resource {
            return resource.challenge(&challenge, namespace.as_deref());
        }
        challenge
    }
}
