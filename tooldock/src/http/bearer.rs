//! Bearer tokens, kept and compared as digests.

use std::{fmt, sync::Arc};

use http::{
    HeaderValue,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
    request::Parts,
};
use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConditionallySelectable as _, ConstantTimeEq as _};
use tooldock_engine::{Caller, EngineError, ErrorKind, context::Principal};

use super::{Gate, Located, Peer, Refusal, refusal::refuse};

/// The digest of a bearer token and the name of whoever it stands for. The token itself is not kept.
#[derive(Clone)]
pub struct Token {
    principal: Principal,
    digest: [u8; 32],
}

/// A token that nobody should use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a token must have at least 16 visible ASCII characters; make one with `openssl rand -hex 32`")]
pub struct TokenError;

impl Token {
    /// The token `value` of the principal called `name`.
    ///
    /// # Errors
    /// When it is shorter than 16 characters or holds anything but visible ASCII.
    pub fn new(name: &str, value: &str) -> Result<Self, TokenError> {
        if value.len() < 16 || !value.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(TokenError);
        }
        Ok(Self {
            principal: Principal::new(name),
            digest: digest(value.as_bytes()),
        })
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Token").field(&self.principal).finish()
    }
}

fn digest(value: &[u8]) -> [u8; 32] {
    Sha256::digest(value).into()
}

/// The tokens that are known.
#[derive(Debug, Clone, Default)]
pub struct Tokens(Arc<[Token]>);

impl Tokens {
    /// Knows `tokens`.
    pub fn new(tokens: impl IntoIterator<Item = Token>) -> Self {
        Self(tokens.into_iter().collect())
    }

    /// Whose token this is. Takes the same time whatever is presented: it is hashed, and compared with every digest.
    #[must_use]
    pub fn find(&self, presented: &[u8]) -> Option<&Principal> {
        let presented = digest(presented);
        let (mut found, mut index) = (Choice::from(0), 0_u64);
        for (at, token) in (0_u64..).zip(self.0.iter()) {
            let equal = token.digest.ct_eq(&presented);
            index.conditional_assign(&at, equal);
            found |= equal;
        }
        let token = usize::try_from(index).ok().and_then(|index| self.0.get(index));
        token.filter(|_| bool::from(found)).map(|token| &token.principal)
    }
}

/// Who may come in: whoever presents a known token, whomever the embedding application has let in, or everybody.
///
/// Puts a [`Caller`] into the extensions of the request. Open routes pass without.
///
/// ```
/// use tooldock::http::{Bearer, Token, Tokens};
/// let ann = Token::new("ann", "a-token-of-at-least-16-characters")?;
/// let app: axum::Router = axum::Router::new().layer(Bearer::new(Tokens::new([ann])));
/// # Ok::<(), tooldock::http::TokenError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bearer(Admits);

/// By what somebody is known.
#[derive(Debug, Clone)]
enum Admits {
    Token(Tokens),
    Host,
    Everybody,
}

impl Bearer {
    /// Asks for one of `tokens`.
    #[must_use]
    pub fn new(tokens: Tokens) -> Self {
        Self(Admits::Token(tokens))
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
        Self(Admits::Host)
    }

    /// Asks for nothing. Only for servers that nobody else can reach.
    #[must_use]
    pub fn anonymous() -> Self {
        Self(Admits::Everybody)
    }

    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        matches!(self.0, Admits::Everybody)
    }

    /// Whether a token is asked for: something that a page of a stranger does not have.
    pub(crate) fn asks_for_token(&self) -> bool {
        matches!(self.0, Admits::Token(_))
    }

    fn principal(&self, head: &Parts) -> Result<Principal, Denial> {
        let tokens = match &self.0 {
            Admits::Token(tokens) => tokens,
            Admits::Host => return head.extensions.get().cloned().ok_or(Denial::Stranger),
            Admits::Everybody => return Ok(Principal::anonymous()),
        };
        let mut values = head.headers.get_all(AUTHORIZATION).iter();
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
        tokens.find(token).cloned().ok_or(Denial::Unknown)
    }
}

/// Why somebody is not let in, with the challenge of RFC 6750.
#[derive(Debug, Clone, Copy)]
enum Denial {
    Missing,
    Stranger,
    Unknown,
    Malformed,
}

impl Denial {
    fn error(self) -> EngineError {
        match self {
            Self::Missing => EngineError::new(
                ErrorKind::Unauthorized,
                "no token: send `Authorization: Bearer <token>`",
            ),
            Self::Stranger => EngineError::new(
                ErrorKind::Unauthorized,
                "the application has not said who calls; sign in there first",
            ),
            Self::Unknown => EngineError::new(
                ErrorKind::Unauthorized,
                "this gateway does not know the token; ask its operator for one",
            ),
            Self::Malformed => EngineError::new(
                ErrorKind::InvalidRequest,
                "send exactly one header `Authorization: Bearer <token>`",
            ),
        }
    }

    fn challenge(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Missing | Self::Stranger => r#"Bearer realm="tooldock""#,
            Self::Unknown => r#"Bearer realm="tooldock", error="invalid_token""#,
            Self::Malformed => r#"Bearer realm="tooldock", error="invalid_request""#,
        })
    }
}

impl Gate for Bearer {
    fn admit(&self, head: &mut Parts) -> Result<(), Refusal> {
        let located = head.extensions.get::<Located>();
        let open = located
            .and_then(|located| located.route)
            .is_some_and(|route| route.open);
        let door = located.map_or(tooldock_engine::Door::Rest, Located::door);
        let principal = match self.principal(head) {
            Ok(principal) => principal,
            Err(_) if open => return Ok(()),
            Err(denial) => {
                let mut answer = refuse(head, &denial.error());
                answer.headers_mut().insert(WWW_AUTHENTICATE, denial.challenge());
                return Err(answer);
            }
        };
        let peer = head.extensions.get::<Peer>().map(|peer| peer.ip());
        head.extensions.insert(Caller {
            principal,
            door,
            peer,
        });
        // Nothing behind this layer has a use for the credential.
        head.headers.remove(AUTHORIZATION);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> Tokens {
        let token = |name: &str| Token::new(name, &format!("{name}-0123456789abcdef")).unwrap();
        Tokens::new([token("one"), token("two"), token("three")])
    }

    #[test]
    fn s1_every_token_is_found_and_no_other() {
        for name in ["one", "two", "three"] {
            let found = tokens()
                .find(format!("{name}-0123456789abcdef").as_bytes())
                .cloned();
            assert_eq!(found, Some(Principal::new(name)));
        }
        for wrong in ["", "one", "one-0123456789abcde", "one-0123456789abcdef0"] {
            assert_eq!(tokens().find(wrong.as_bytes()), None);
        }
        assert_eq!(Tokens::default().find(b""), None);
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
        assert!(Token::new("x", "0123456789abcde").is_err());
        assert!(Token::new("x", "0123456789 abcdef").is_err());
    }
}
