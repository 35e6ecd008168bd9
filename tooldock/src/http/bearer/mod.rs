//! Who may come in, known by bearer tokens.

mod advice;
mod denial;
mod failures;
mod service;
mod token;
mod tokens;
mod visit;

use http::{
    HeaderMap,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
    request::Parts,
};
use tooldock_engine::{Caller, Door, EngineError, ErrorKind, context::Principal};

pub(crate) use self::token::digest;
use self::{advice::Advice, denial::Denial, failures::Failures, visit::Visit};
pub use self::{
    service::{Admitted, BearerService},
    token::{Token, TokenError},
    tokens::Tokens,
};
use super::{Located, Peer, Refusal, refusal::refuse};
#[cfg(feature = "oauth")]
use super::{OAuth, Resource, oauth::Signed};

/// Who may come in: whoever presents a known token, whomever the embedding application has let in, or everybody.
///
/// Puts a [`Caller`] into the extensions of the request. Open routes pass without. A stream that somebody reads ends when his
/// [principal ends](Principal::end) or his token expires.
///
/// ```
/// use tooldock::http::{Bearer, Token, Tokens};
/// let ann = Token::new("ann", "a-token-of-at-least-16-characters")?;
/// let app: axum::Router = axum::Router::new().layer(Bearer::new(Tokens::new([ann])));
/// # Ok::<(), tooldock::http::TokenError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bearer {
    admits: Admits,
    failures: Failures,
    #[cfg(feature = "oauth")]
    resource: Option<Resource>,
}

/// Wrong tokens that one address may present in a minute without [`Bearer::with_failures`].
const FAILURES: u32 = 20;

/// By what somebody is known.
#[derive(Debug, Clone)]
enum Admits {
    Token(Tokens),
    Host,
    Everybody,
}

impl Bearer {
    fn by(admits: Admits) -> Self {
        let failures = Failures::new(FAILURES);
        Self {
            admits,
            failures,
            #[cfg(feature = "oauth")]
            resource: None,
        }
    }

    /// Answers an address 429 from the moment on in which it has presented `allowed` wrong tokens within a minute (setting
    /// `AUTH_FAILURES_PER_MINUTE`, 20). A right one is let in all the same.
    #[must_use]
    pub fn with_failures(mut self, allowed: u32) -> Self {
        self.failures = Failures::new(allowed);
        self
    }

    /// Lets in whomever `oauth` believes as well, and tells the others where to get a token for that. `oauth` itself stands as a layer in
    /// front of this one.
    #[cfg(feature = "oauth")]
    #[must_use]
    pub fn with_oauth(mut self, oauth: &OAuth) -> Self {
        self.resource = Some(oauth.resource().clone());
        self
    }

    /// What is said of how to get in.
    #[cfg(feature = "oauth")]
    pub(crate) fn resource(&self) -> Option<&Resource> {
        self.resource.as_ref()
    }

    /// Asks for one of `tokens`.
    #[must_use]
    pub fn new(tokens: Tokens) -> Self {
        Self::by(Admits::Token(tokens))
    }

    /// Lets in whomever the embedding application has let in: it puts a [`Principal`] into the extensions of the request before the
    /// gateway sees it. A request without one is refused.
    ///
    /// ```
    /// use axum::{Extension, Router, body::Body};
    /// use http::Request;
    /// use tooldock::{Gateway, engine::context::Principal, http::Bearer};
    /// use tower::ServiceExt as _;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let gateway = Gateway::builder().bearer(Bearer::by_host()).build()?;
    /// // A real application reads its session here.
    /// let signed_in = gateway.router().layer(Extension(Principal::new("ann")));
    /// let request = || Request::get("/namespaces").header("host", "localhost").body(Body::empty());
    /// assert_eq!(signed_in.oneshot(request()?).await?.status(), 200);
    /// assert_eq!(gateway.router().oneshot(request()?).await?.status(), 401);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn by_host() -> Self {
        Self::by(Admits::Host)
    }

    /// Asks for nothing. Only for servers that nobody else can reach.
    #[must_use]
    pub fn anonymous() -> Self {
        Self::by(Admits::Everybody)
    }

    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        matches!(self.admits, Admits::Everybody)
    }

    /// Whether a token is asked for: something that a page of a stranger does not have.
    pub(crate) fn asks_for_token(&self) -> bool {
        matches!(self.admits, Admits::Token(_))
    }

    fn visit(&self, head: &Parts) -> Result<Visit, Denial> {
        let endless = |principal: Principal| Visit {
            principal,
            expires: None,
        };
        let tokens = match &self.admits {
            Admits::Token(tokens) => tokens,
            Admits::Host => {
                let signed_in = head.extensions.get::<Principal>().cloned();
                return signed_in.map(endless).ok_or(Denial::Stranger);
            }
            Admits::Everybody => return Ok(endless(Principal::anonymous())),
        };
        #[cfg(feature = "oauth")]
        if let Some(signed) = head
            .extensions
            .get::<Signed>()
            .filter(|_| self.resource.is_some())
        {
            return Ok(Visit {
                principal: signed.principal.clone(),
                expires: Some(signed.expires),
            });
        }
        let token = presented(&head.headers)?;
        let token = tokens.find(token).ok_or(Denial::Unknown)?;
        Ok(Visit {
            principal: token.principal().clone(),
            expires: token.expires(),
        })
    }

    /// Tells why somebody is not let in, or that he has tried too often.
    fn refuse(&self, head: &Parts, denial: Denial) -> Refusal {
        let tried = matches!(denial, Denial::Unknown | Denial::Malformed);
        let peer = head.extensions.get::<Peer>().filter(|_| tried);
        if let Some(wait) = peer.and_then(|peer| self.failures.count(peer.client())) {
            let text = format!(
                "this address has presented more than {} wrong tokens in a minute (AUTH_FAILURES_PER_MINUTE); wait as long as `Retry-After` says",
                self.failures.allowed()
            );
            return refuse(
                head,
                &EngineError::new(ErrorKind::RateLimited, text).with_retry_after(wait),
            );
        }
        let mut answer = refuse(head, &denial.error());
        let challenge = Advice::new(self, head).add(denial.challenge());
        answer.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        answer
    }

    /// Lets somebody in, or nobody on an open route.
    fn admit(&self, head: &mut Parts) -> Result<Option<Visit>, Refusal> {
        let located = head.extensions.get::<Located>();
        let open = located
            .and_then(|located| located.route)
            .is_some_and(|route| route.open);
        let door = located.map_or(Door::Rest, Located::door);
        let visit = match self.visit(head) {
            Ok(visit) => visit,
            Err(_) if open => return Ok(None),
            Err(denial) => return Err(self.refuse(head, denial)),
        };
        let peer = head.extensions.get::<Peer>().map(|peer| peer.client());
        head.extensions.insert(Caller {
            principal: visit.principal.clone(),
            door,
            peer,
        });
        // Nothing behind this layer has a use for the credential.
        head.headers.remove(AUTHORIZATION);
        Ok(Some(visit))
    }
}

/// The token of a request.
pub(in crate::http) fn presented(headers: &HeaderMap) -> Result<&[u8], Denial> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return Err(Denial::Missing),
        (Some(value), None) => value.as_bytes(),
        (Some(_), Some(_)) => return Err(Denial::Malformed),
    };
    let (scheme, token) = value.split_at_checked(7).ok_or(Denial::Malformed)?;
    let readable = !token.is_empty() && token.iter().all(u8::is_ascii_graphic);
    if !scheme.eq_ignore_ascii_case(b"bearer ") || !readable {
        return Err(Denial::Malformed);
    }
    Ok(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> Tokens {
        let token = |name: &str| Token::new(name, &format!("{name}-0123456789abcdef")).unwrap();
        Tokens::new([token("one"), token("two"), token("three")])
    }

    #[test]
    fn s6_the_challenge_tells_what_is_wrong() {
        let bearer = Bearer::new(tokens());
        let table: [(&[&str], &str); 8] = [
            (&[], r#"Bearer realm="tooldock""#),
            (
                &["Bearer nope-0123456789abcdef"],
                r#"Bearer realm="tooldock", error="invalid_token""#,
            ),
            (
                &["Basic b25lOnR3bw=="],
                r#"Bearer realm="tooldock", error="invalid_request""#,
            ),
            (&["Bearer"], r#"Bearer realm="tooldock", error="invalid_request""#),
            (
                &["Bearer "],
                r#"Bearer realm="tooldock", error="invalid_request""#,
            ),
            (
                &["Bearer a b"],
                r#"Bearer realm="tooldock", error="invalid_request""#,
            ),
            (
                &["Bearer  one-0123456789abcdef"],
                r#"Bearer realm="tooldock", error="invalid_request""#,
            ),
            (
                &["Bearer one-0123456789abcdef", "Bearer one-0123456789abcdef"],
                r#"Bearer realm="tooldock", error="invalid_request""#,
            ),
        ];
        for (headers, challenge) in table {
            let mut request = http::Request::builder();
            for header in headers {
                request = request.header(AUTHORIZATION, *header);
            }
            let (mut head, ()) = request.body(()).unwrap().into_parts();
            let answer = bearer.admit(&mut head).expect_err("nobody comes in with that");
            assert_eq!(answer.headers()[WWW_AUTHENTICATE], challenge, "{headers:?}");
        }
        let (mut head, ()) = http::Request::builder()
            .header(AUTHORIZATION, "bearer one-0123456789abcdef")
            .body(())
            .unwrap()
            .into_parts();
        bearer
            .admit(&mut head)
            .expect("the scheme is read without regard to case");
        assert_eq!(
            head.extensions.get::<Caller>().unwrap().principal,
            Principal::new("one")
        );
        assert!(
            !head.headers.contains_key(AUTHORIZATION),
            "the credential goes no further"
        );
    }

    #[test]
    fn short_tokens_are_refused() {
        assert!(Token::new("x", "0123456789abcde").is_err_and(|error| error == TokenError::Weak));
        assert!(Token::new("x", "0123456789 abcdef").is_err());
    }
}
