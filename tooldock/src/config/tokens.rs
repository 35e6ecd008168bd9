//! The tokens that clients and the manager present.

use std::net::IpAddr;

use super::reader::Reader;
use crate::http::{Bearer, Token, TokenError, Tokens, digest};

/// What guards the door: BEARER_TOKEN, and the list that TOKENS_FILE names.
pub(super) struct Door {
    pub(super) bearer: Bearer,
    #[cfg(feature = "worker")]
    pub(super) file: Option<super::TokenFile>,
    #[cfg(feature = "oauth")]
    pub(super) oauth: Option<crate::http::OAuth>,
}

impl From<Bearer> for Door {
    fn from(bearer: Bearer) -> Self {
        Self {
            bearer,
            #[cfg(feature = "worker")]
            file: None,
            #[cfg(feature = "oauth")]
            oauth: None,
        }
    }
}

impl Door {
    /// Reads who may come in at a gateway that listens on `ip`.
    pub(super) fn read(read: &mut Reader<'_>, ip: IpAddr) -> Self {
        let path = read.optional("TOKENS_FILE");
        let oauth = super::oauth::read(read);
        let alone = path.is_none() && oauth.is_none();
        let remedy =
            "set it (or BEARER_TOKEN_FILE) to a secret that clients send, or TOKENS_FILE to a list of tokens";
        let value = read.secret("BEARER_TOKEN", alone.then_some(remedy));
        let own = token(read, "BEARER_TOKEN", "default", value, ip);
        #[cfg(feature = "worker")]
        let file = path.and_then(|path| {
            let opened = super::TokenFile::open(path, own.iter().cloned().collect());
            opened.map_err(|mistakes| read.mistakes.extend(mistakes)).ok()
        });
        #[cfg(feature = "worker")]
        let tokens = match &file {
            Some(file) => file.tokens().clone(),
            None => Tokens::new(own),
        };
        #[cfg(not(feature = "worker"))]
        let tokens = Tokens::new(own);
        let bearer = Bearer::new(tokens);
        #[cfg(feature = "oauth")]
        let bearer = match &oauth {
            Some(oauth) => bearer.with_oauth(oauth),
            None => bearer,
        };
        Self {
            bearer,
            #[cfg(feature = "oauth")]
            oauth,
            #[cfg(feature = "worker")]
            file,
        }
    }
}

/// Values that are printed as examples; whoever tries to get in tries these first.
const EXAMPLES: [&str; 3] = [
    "change_me",
    "change_me_internal",
    "a-token-of-at-least-16-characters",
];

/// The token of the setting whose `value` this is. One that is too weak for a network serves a gateway on loopback, with a warning.
pub(super) fn token(
    read: &mut Reader<'_>,
    setting: &str,
    name: &str,
    value: Option<String>,
    ip: IpAddr,
) -> Option<Token> {
    let value = value?;
    let made = match EXAMPLES.contains(&value.as_str()) {
        true => Err(TokenError::Weak),
        false => Token::new(name, &value),
    };
    match made {
        Ok(token) => Some(token),
        Err(TokenError::Weak) if ip.is_loopback() => {
            let text = format!("{setting}: {}; it serves this machine only", TokenError::Weak);
            read.warnings.push(text);
            Some(Token::of_digest(name, digest(value.as_bytes())))
        }
        Err(error) => {
            read.mistakes.push(format!("{setting}: {error}"));
            None
        }
    }
}
