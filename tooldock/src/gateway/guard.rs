//! Who may manage the gateway.

use axum::extract::Request;
use tooldock_engine::Caller;

use crate::http::{Cidr, Peer, Tokens};

/// Who may manage the gateway, besides having a bearer token [for it](tooldock_engine::context::Rights::may_manage): whoever has the
/// manager token and comes from the right address.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ManagerGuard {
    /// The tokens that `X-Manager-Token` may hold; none means nobody.
    pub tokens: Tokens,
    /// Where the manager is (`INTERNAL_ALLOWED_CIDRS`): by the address of the socket peer, whatever a proxy says.
    pub from: Cidr,
}

impl ManagerGuard {
    /// Lets in whoever has one of `tokens` and comes `from` there.
    ///
    /// ```
    /// use tooldock::{ManagerGuard, http::{Cidr, Token, Tokens}};
    /// let tokens = Tokens::new([Token::new("manager", "a-token-of-at-least-16-characters")?]);
    /// let guard = ManagerGuard::new(tokens, Cidr::new(["127.0.0.0/8".parse().expect("a range")]));
    /// # Ok::<(), tooldock::http::TokenError>(())
    /// ```
    #[must_use]
    pub fn new(tokens: Tokens, from: Cidr) -> Self {
        Self { tokens, from }
    }

    /// Whether a request is let in. Every lock is always tried, and none tells that it was the one: the rights of the caller, the token,
    /// the address.
    #[must_use]
    pub fn admits(&self, request: &Request) -> bool {
        let mut tokens = request.headers().get_all("x-manager-token").iter();
        let token = match (tokens.next(), tokens.next()) {
            (Some(token), None) => token.as_bytes(),
            _ => b"",
        };
        let known = self.tokens.find(token).is_some();
        let inside = self.from.allows(request.extensions().get::<Peer>().copied());
        let caller = request.extensions().get::<Caller>();
        let may = caller.is_some_and(|caller| caller.principal.rights().may_manage());
        known & inside & may
    }
}
