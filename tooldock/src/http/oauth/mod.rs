//! The gateway as a resource server of OAuth 2.1: it believes the signed tokens of one issuer.

mod claims;
mod keys;
mod resource;
mod scopes;
mod service;

use std::{fmt, sync::Arc, time::Duration};

use jsonwebtoken::{Algorithm, AlgorithmFamily, Header, Validation, decode, decode_header};

pub(super) use self::claims::Signed;
use self::{claims::Claims, keys::Keys};
pub use self::{
    resource::{BadAddress, Resource},
    scopes::Scopes,
    service::OAuthService,
};
use crate::outbound::{Outbound, OutboundSettings};

/// Signatures that are believed without [`OAuth::with_algorithms`]: everything asymmetric.
const ALGORITHMS: &[Algorithm] = &[
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Seconds by which clocks may differ.
const LEEWAY: u64 = 60;

/// Believes the signed tokens (JWT) of one issuer, checked by the keys that it publishes.
///
/// A layer in front of [`Bearer`](super::Bearer), which has to [know it](super::Bearer::with_oauth): a request with such a token is let
/// in as `oauth:` and the subject of the token, with the rights that its [`Scopes`] give. Other tokens are looked up as ever.
///
/// A token counts when its algorithm is allowed and never symmetric, its `iss` is the issuer, its `aud` names this gateway or a
/// namespace of it, `exp` and `nbf` fit with 60 s to spare, and nothing in it is said to be critical. Keys come from the configured place
/// only, whatever its header points to.
///
/// ```
/// use tooldock::{
///     http::{Bearer, HttpSettings, OAuth, Resource, Tokens},
///     outbound::{Guard, Outbound, OutboundSettings},
/// };
/// let resource = Resource::new("https://tools.example.org", "https://login.example.org")?;
/// let keys = "https://login.example.org/keys";
/// let oauth = OAuth::new(resource, keys, &OutboundSettings::new(Guard::new([])));
/// let mut settings = HttpSettings::new(Bearer::new(Tokens::default()).with_oauth(&oauth));
/// settings.oauth = Some(oauth);
/// # Ok::<(), tooldock::http::BadAddress>(())
/// ```
#[derive(Clone)]
pub struct OAuth(Arc<Inner>);

struct Inner {
    resource: Resource,
    algorithms: Vec<Algorithm>,
    keys: Keys,
}

impl OAuth {
    /// Guards `resource`, with the keys at the address `keys`. They are fetched when they are needed, by HTTPS with the guard and the
    /// certificates of `outbound`, within 5 s and 256 KiB, at most once in 30 s.
    #[must_use]
    pub fn new(resource: Resource, keys: &str, outbound: &OutboundSettings) -> Self {
        let mut outbound = outbound.clone();
        outbound.time_limit = Duration::from_secs(5);
        Self(Arc::new(Inner {
            resource,
            algorithms: ALGORITHMS.to_vec(),
            keys: Keys::new(keys, Outbound::new(outbound)),
        }))
    }

    /// Believes these algorithms only, as RFC 7518 and RFC 8037 name them; nothing when one of them is unknown or symmetric.
    #[must_use]
    pub fn with_algorithms<'a>(self, names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let read = |name: &str| {
            let algorithm = name.parse::<Algorithm>().ok();
            algorithm.filter(|algorithm| algorithm.family() != AlgorithmFamily::Hmac)
        };
        let algorithms: Vec<_> = names.into_iter().map(read).collect::<Option<_>>()?;
        let inner = Arc::into_inner(self.0)?;
        (!algorithms.is_empty()).then(|| Self(Arc::new(Inner { algorithms, ..inner })))
    }

    /// What is guarded.
    #[must_use]
    pub fn resource(&self) -> &Resource {
        &self.0.resource
    }

    /// The header of a token that there may be a key for; it is not believed yet.
    fn look(&self, token: &[u8]) -> Option<Box<Header>> {
        let parts = token.split(|byte| *byte == b'.').count();
        // Of `none` and the like the library knows nothing, so those are other tokens.
        let header = decode_header(token).ok().filter(|_| parts == 3)?;
        let fit = self.0.algorithms.contains(&header.alg) && header.crit.is_none() && header.enc.is_none();
        fit.then(|| Box::new(header))
    }

    /// Whom a token stands for, by the keys that are there.
    fn believe(&self, token: &[u8], header: &Header) -> Option<Signed> {
        let mut validation = Validation::new(header.alg);
        validation.leeway = LEEWAY;
        validation.validate_nbf = true;
        // It may be one of many, so it is judged here.
        validation.validate_aud = false;
        validation.set_issuer(&[self.0.resource.issuer()]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let keys = self.0.keys.fitting(header);
        let claims = keys
            .iter()
            .find_map(|key| decode::<Claims>(token, key, &validation).ok())?
            .claims;
        claims.signed(&self.0.resource)
    }
}

impl fmt::Debug for OAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OAuth").field(&self.0.resource).finish()
    }
}
