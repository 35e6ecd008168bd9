//! What a token says, once its signature is known to be good.

use std::sync::Arc;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use tooldock_engine::{
    context::{Principal, Rights},
    name::NameChoice,
};

use super::{LEEWAY, Resource};

/// Characters that the name of a subject may have.
const SUBJECT: usize = 256;

/// The claims that count (RFC 9068, 2.2). A repeated one is no claim at all.
#[derive(Debug, Deserialize)]
pub(super) struct Claims {
    sub: String,
    exp: f64,
    /// One issuer; the library would also take a list in which it is.
    #[serde(rename = "iss")]
    _iss: String,
    aud: OneOrMore,
    #[serde(default)]
    scope: Option<OneOrMore>,
    /// The same, as some issuers call it.
    #[serde(default)]
    scp: Option<OneOrMore>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn list(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::More(more) => more,
        }
    }
}

/// Whom a token stands for, and how long; an extension of its request.
#[derive(Debug, Clone)]
pub(in crate::http) struct Signed {
    pub(in crate::http) principal: Principal,
    pub(in crate::http) expires: SystemTime,
}

impl Claims {
    /// Whom they stand for at `resource`, if they were made for it.
    pub(super) fn signed(&self, resource: &Resource) -> Option<Signed> {
        let named = !self.sub.is_empty()
            && self.sub.chars().count() <= SUBJECT
            && !self.sub.chars().any(char::is_control);
        let audience = self.audience(resource).filter(|_| named)?;
        let texts = self.scope.iter().chain(&self.scp).flat_map(OneOrMore::list);
        let scopes = texts.map(String::as_str).collect::<Vec<_>>().join(" ");
        let rights = audience.limit(resource.scopes().rights(&scopes));
        // A token that is listed has no colon in its name, so nobody can be called like one.
        let principal = Principal::new(&format!("oauth:{}", self.sub)).limited(rights);
        let expires = Duration::try_from_secs_f64(self.exp).ok()? + Duration::from_secs(LEEWAY);
        Some(Signed {
            principal,
            expires: UNIX_EPOCH.checked_add(expires)?,
        })
    }

    /// Where it counts, if it is meant for us.
    fn audience(&self, resource: &Resource) -> Option<Audience> {
        let mut namespaces = Vec::new();
        for address in self.aud.list() {
            match resource.audience(address) {
                Some(None) => return Some(Audience::Everywhere),
                Some(Some(namespace)) => namespaces.push(namespace),
                None => {}
            }
        }
        (!namespaces.is_empty()).then_some(Audience::In(namespaces))
    }
}

enum Audience {
    Everywhere,
    In(Vec<Arc<str>>),
}

impl Audience {
    fn limit(self, rights: Rights) -> Rights {
        let Self::In(namespaces) = self else {
            return rights;
        };
        let choice = NameChoice::parse(namespaces.iter().map(|name| &**name));
        rights.in_namespaces(choice.unwrap_or_default())
    }
}
