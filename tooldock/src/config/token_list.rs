//! The list of tokens as a file.

use std::{
    collections::BTreeSet,
    str::FromStr,
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Deserializer};
use tooldock_engine::{
    context::Rights,
    name::{NameChoice, NameError},
};
use tooldock_worker::disk::read_yaml;

use super::Mistakes;
use crate::http::Token;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    tokens: Vec<Line>,
}

/// One token.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: String,
    sha256: String,
    #[serde(default, deserialize_with = "present")]
    namespaces: Option<Vec<String>>,
    #[serde(default, deserialize_with = "present")]
    tools: Option<Vec<String>>,
    #[serde(default)]
    manager: bool,
    #[serde(default)]
    expires_at: Option<String>,
}

/// A key without a value is an empty list, which allows nothing, and not a missing one.
fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Vec<String>>, D::Error> {
    let patterns = Option::<Vec<String>>::deserialize(value)?;
    Ok(Some(patterns.unwrap_or_default()))
}

/// Reads the text of the file; the names of `taken` are those of other tokens.
///
/// # Errors
/// Every mistake in it. None of them shows a digest.
pub(super) fn parse(text: &str, taken: &[Token]) -> Result<Vec<Token>, Mistakes> {
    let list: List = read_yaml(text).map_err(|error| Mistakes::one(format!("TOKENS_FILE: {error}")))?;
    let mut mistakes = Mistakes::default();
    let mut names: BTreeSet<String> = taken
        .iter()
        .map(|token| token.principal().name().to_owned())
        .collect();
    let mut digests = BTreeSet::new();
    let mut tokens = Vec::with_capacity(list.tokens.len());
    for (number, line) in (1..).zip(list.tokens) {
        let shown: String = line.name.chars().take(64).flat_map(char::escape_debug).collect();
        let mut wrong = |what: String| {
            mistakes.push(format!("TOKENS_FILE: token {number} (`{shown}`): {what}"));
        };
        if !names.insert(line.name.clone()) {
            wrong("another token has the same name; give each its own".to_owned());
        }
        if !digests.insert(line.sha256.to_ascii_lowercase()) {
            wrong("another token has the same `sha256`".to_owned());
        }
        match line.token() {
            Ok(token) => tokens.push(token),
            Err(what) => wrong(what),
        }
    }
    mistakes.or(tokens)
}

/// What a token may be called.
#[derive(Debug, Clone)]
pub(crate) struct TokenName(pub(crate) String);

impl FromStr for TokenName {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.@".contains(&byte);
        if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
            return Err("it must have 1 to 64 of `A-Z a-z 0-9 _ - . @`");
        }
        Ok(Self(name.to_owned()))
    }
}

impl Line {
    fn token(self) -> Result<Token, String> {
        let name: TokenName = self.name.parse().map_err(|rule| format!("`name`: {rule}"))?;
        let digest = hexadecimal(&self.sha256)
            .ok_or("`sha256` must be the 64 hexadecimal digits that `tooldock-manager token` prints")?;
        let mut rights = Rights::default();
        if self.manager && (self.namespaces.is_some() || self.tools.is_some()) {
            return Err("`manager: true` goes with no limits: take out `namespaces` and `tools`".to_owned());
        }
        if !self.manager {
            rights = rights.calls_only();
        }
        let choice = |key: &str, patterns: &[String]| {
            NameChoice::parse(patterns.iter().map(String::as_str))
                .map_err(|error: NameError| format!("`{key}`: {error}"))
        };
        if let Some(patterns) = &self.namespaces {
            rights = rights.in_namespaces(choice("namespaces", patterns)?);
        }
        if let Some(patterns) = &self.tools {
            rights = rights.with_tools(choice("tools", patterns)?);
        }
        let token = Token::of_digest(&name.0, digest).limited(rights);
        match self.expires_at.as_deref().map(str::parse::<jiff::Timestamp>) {
            None => Ok(token),
            Some(Ok(moment)) => {
                let since = u64::try_from(moment.as_second()).unwrap_or(0);
                Ok(token.until(SystemTime::UNIX_EPOCH + Duration::from_secs(since)))
            }
            Some(Err(_)) => Err("`expires_at` must be a moment such as `2027-01-31T00:00:00Z`".to_owned()),
        }
    }
}

fn hexadecimal(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";

    fn one(rest: &str) -> Result<Vec<Token>, Mistakes> {
        parse(&format!("tokens:\n- name: ci\n  sha256: {DIGEST}\n{rest}"), &[])
    }

    #[test]
    fn s3_what_a_line_says_is_what_its_token_may() {
        for (rest, enters, uses, manages) in [
            ("", true, true, false),
            ("  manager: true\n", true, true, true),
            ("  namespaces: [demo]\n", true, true, false),
            ("  namespaces: ['*', '!demo']\n", false, false, false),
            ("  namespaces: []\n", false, false, false),
            ("  namespaces:\n", false, false, false),
            ("  tools: ['get_*']\n", true, true, false),
            ("  tools: ['!get_all', '*']\n", true, false, false),
            ("  tools:\n", true, false, false),
        ] {
            let tokens = one(rest).unwrap();
            let rights = tokens[0].principal().rights();
            assert_eq!(
                (
                    rights.may_enter("demo"),
                    rights.may_use("demo", "get_all"),
                    rights.may_manage()
                ),
                (enters, uses, manages),
                "{rest}"
            );
        }
        let expires = one("  expires_at: 2027-01-31T00:00:00Z\n").unwrap()[0].expires();
        let seconds = expires
            .unwrap()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap()
            .as_secs();
        assert_eq!(seconds, 1_801_353_600);
    }

    #[test]
    fn s8_every_mistake_is_named_and_no_digest() {
        for (rest, word) in [
            ("  namespaces: ['[ab]']\n", "`namespaces`: pattern `[ab]`"),
            ("  tools: ['']\n", "`tools`: pattern"),
            ("  manager: true\n  namespaces: ['*']\n", "goes with no limits"),
            ("  manager: true\n  tools: ['*']\n", "goes with no limits"),
            ("  expires_at: tomorrow\n", "`expires_at` must be"),
            ("  tool: []\n", "`tool`"),
            ("- { name: ci, sha256: abc }\n", "the same name"),
            ("- { name: 'a b', sha256: abc }\n", "`name`: it must have"),
            ("- { name: other, sha256: abc }\n", "`sha256` must be"),
            (
                &format!("- {{ name: other, sha256: {DIGEST} }}\n"),
                "the same `sha256`",
            ),
        ] {
            let report = one(rest).expect_err(rest).to_string();
            assert!(
                report.contains(word) && !report.contains(DIGEST),
                "{rest}: {report}"
            );
        }
        let taken = Token::new("ci", "0123456789abcdef").unwrap();
        assert!(parse(&format!("tokens: [{{name: ci, sha256: {DIGEST}}}]"), &[taken]).is_err());
        assert!(parse("", &[]).is_err() && parse("tokens: []", &[]).is_ok());
    }
}
