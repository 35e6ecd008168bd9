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
    /// Whether a [trusted proxy](crate::http::Proxies) is believed here as well (`RELOAD_THROUGH_PROXIES`).
    pub through_proxies: bool,
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
        Self {
            tokens,
            from,
            through_proxies: false,
        }
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
        let peer = request.extensions().get::<Peer>().copied();
        let peer = match self.through_proxies {
            true => peer.map(|peer| Peer::new(peer.client())),
            false => peer,
        };
        let inside = self.from.allows(peer);
        let caller = request.extensions().get::<Caller>();
        let may = caller.is_some_and(|caller| caller.principal.rights().may_manage());
        known & inside & may
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use tooldock_engine::{Door, context::Principal};

    use super::*;
    use crate::http::Token;

    #[test]
    fn s16_a_proxy_is_believed_about_reloads_only_when_that_is_asked_for() {
        let token = "a-manager-token-of-this-test";
        let tokens = Tokens::new([Token::new("manager", token).unwrap()]);
        let mut guard = ManagerGuard::new(tokens, Cidr::new(["10.1.0.0/16".parse().unwrap()]));
        let [manager, proxy, stranger] = ["10.1.0.7", "10.2.0.1", "192.0.2.1"].map(|ip| ip.parse().unwrap());
        for (through, peer, client, admitted) in [
            (false, manager, manager, true),
            (false, proxy, manager, false),
            (false, manager, stranger, true),
            (true, proxy, manager, true),
            (true, manager, stranger, false),
            (true, manager, manager, true),
        ] {
            guard.through_proxies = through;
            let mut request = Request::post("/reload")
                .header("x-manager-token", token)
                .body(Body::empty())
                .unwrap();
            request
                .extensions_mut()
                .insert(Peer::new(peer).speaking_for(client));
            request.extensions_mut().insert(Caller {
                principal: Principal::new("default"),
                door: Door::Rest,
                peer: None,
            });
            assert_eq!(guard.admits(&request), admitted, "{through} {peer} {client}");
        }
    }
}
