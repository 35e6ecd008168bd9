//! The tokens that are known.

use std::sync::{Arc, PoisonError, RwLock};

use subtle::{Choice, ConditionallySelectable as _};

use super::token::{Token, digest};

/// The tokens that are known. Clones know the same, also when they are [replaced](Self::replace).
#[derive(Debug, Clone, Default)]
pub struct Tokens(Arc<RwLock<Arc<[Token]>>>);

impl Tokens {
    /// Knows `tokens`.
    pub fn new(tokens: impl IntoIterator<Item = Token>) -> Self {
        Self(Arc::new(RwLock::new(tokens.into_iter().collect())))
    }

    fn known(&self) -> Arc<[Token]> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The token that is presented, if it is known and has not expired. Takes the same time whatever is presented: it is hashed, and
    /// compared with every digest.
    #[must_use]
    pub fn find(&self, presented: &[u8]) -> Option<Token> {
        let presented = digest(presented);
        let found = search(&self.known(), |token| token.is(&presented))?;
        if found.has_expired() {
            found.principal().end();
            return None;
        }
        Some(found)
    }

    /// Knows `tokens` from now on. What was opened with a token that is not among them, or has other rights or another time now,
    /// [ends](tooldock_engine::context::Principal::end).
    ///
    /// ```
    /// use tooldock::http::{Token, Tokens};
    /// let [old, new] = ["an-old-token-of-ann", "the-new-token-of-ann"];
    /// let tokens = Tokens::new([Token::new("ann", old)?]);
    /// let before = tokens.find(old.as_bytes()).expect("it is known");
    /// tokens.replace([Token::new("ann", new)?]);
    /// assert!(before.principal().has_ended());
    /// assert!(tokens.find(old.as_bytes()).is_none() && tokens.find(new.as_bytes()).is_some());
    /// # Ok::<(), tooldock::http::TokenError>(())
    /// ```
    pub fn replace(&self, tokens: impl IntoIterator<Item = Token>) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let stays = |token: Token| {
            known
                .iter()
                .find(|old| old.equals(&token))
                .cloned()
                .unwrap_or(token)
        };
        let next: Arc<[Token]> = tokens.into_iter().map(stays).collect();
        for old in known
            .iter()
            .filter(|old| !next.iter().any(|token| old.equals(token)))
        {
            old.principal().end();
        }
        *known = next;
    }
}

/// The token that `is` says yes to. Every one is asked, and nothing depends on which it is.
fn search(tokens: &[Token], mut is: impl FnMut(&Token) -> Choice) -> Option<Token> {
    let (mut found, mut index) = (Choice::from(0), 0_u64);
    for (at, token) in (0_u64..).zip(tokens) {
        let equal = is(token);
        index.conditional_assign(&at, equal);
        found |= equal;
    }
    let token = usize::try_from(index).ok().and_then(|index| tokens.get(index));
    token.filter(|_| bool::from(found)).cloned()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use tooldock_engine::context::Rights;

    use super::*;

    fn value(name: &str) -> String {
        format!("{name}-0123456789abcdef")
    }

    fn token(name: &str) -> Token {
        Token::new(name, &value(name)).unwrap()
    }

    #[test]
    fn s1_every_token_is_found_and_no_other() {
        let tokens = Tokens::new(["one", "two", "three"].map(token));
        for name in ["one", "two", "three"] {
            let found = tokens.find(value(name).as_bytes()).unwrap();
            assert_eq!(found.principal().name(), name);
        }
        for wrong in ["", "one", "one-0123456789abcde", "one-0123456789abcdef0"] {
            assert!(tokens.find(wrong.as_bytes()).is_none());
        }
        assert!(Tokens::default().find(b"").is_none());
    }

    #[test]
    fn s1_every_digest_is_compared_whichever_matches() {
        let tokens = ["one", "two", "three"].map(token);
        for presented in ["one", "two", "three", "none"] {
            let (mut compared, presented) = (0, digest(value(presented).as_bytes()));
            search(&tokens, |token| {
                compared += 1;
                token.is(&presented)
            });
            assert_eq!(compared, tokens.len());
        }
    }

    #[test]
    fn s3_what_does_not_change_goes_on() {
        let tokens = Tokens::new(["one", "two", "three", "four"].map(token));
        let before = ["one", "two", "three", "four"].map(|name| tokens.find(value(name).as_bytes()).unwrap());
        let later = SystemTime::now() + Duration::from_secs(60);
        tokens.replace([
            token("four").limited(Rights::default().calls_only()),
            token("one"),
            token("three").until(later),
        ]);
        let ended = before.map(|token| token.principal().has_ended());
        assert_eq!(ended, [false, true, true, true]);
        let known = |name| tokens.find(value(name).as_bytes()).is_some();
        assert_eq!(
            ["one", "two", "three", "four"].map(known),
            [true, false, true, true]
        );
    }

    #[test]
    fn s3_a_token_that_has_expired_is_unknown_and_ends_what_it_opened() {
        let expired = token("one").until(SystemTime::now());
        let tokens = Tokens::new([expired.clone(), token("two")]);
        assert!(tokens.find(value("one").as_bytes()).is_none());
        assert!(expired.principal().has_ended());
    }
}
