//! Environment variables that source code reads, and hosts in its addresses; found in the text, whatever the language.

use std::{collections::BTreeSet, sync::LazyLock};

use aho_corasick::AhoCorasick;

/// What stands in front of the name of a variable that is read.
const READS: &[&str] = &[
    "process.env.",
    "process.env[",
    "import.meta.env.",
    "Deno.env.get(",
    "Bun.env.",
    "os.environ[",
    "environ.get(",
    "getenv(",
    "os.environ.setdefault(",
    "os.Getenv(",
    "os.LookupEnv(",
    "env::var(",
    "env::var_os(",
    "System.getenv(",
    "GetEnvironmentVariable(",
    "env.",
];
/// What stands in front of a host.
const ADDRESSES: &[&str] = &["https://", "http://"];

/// Endings of hosts that are named in documents and schemas and called by nobody.
const NOT_CALLED: &[&str] = &[
    "example.com",
    "example.org",
    "example.net",
    "localhost",
    "w3.org",
    "json-schema.org",
    "schema.org",
    "modelcontextprotocol.io",
    "mozilla.org",
    "stackoverflow.com",
    "wikipedia.org",
    "apache.org",
    "opensource.org",
    "readthedocs.io",
    "nodejs.org",
    "python.org",
    "shields.io",
    "gnu.org",
    "creativecommons.org",
    "jsdelivr.net",
    "unpkg.com",
    "ietf.org",
    "spdx.org",
];

/// Parts of names of which the values are secrets.
const SECRET: &[&str] = &[
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "API_KEY",
    "APIKEY",
    "ACCESS_KEY",
    "PRIVATE_KEY",
    "CREDENTIAL",
    "_PAT",
    "_KEY",
    "AUTH_HEADER",
];

/// Names and hosts that are kept, at most.
const MOST: usize = 200;

static MARKS: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new(READS.iter().chain(ADDRESSES)).expect("the table is small"));

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Environment {
    pub(super) variables: BTreeSet<String>,
    pub(super) hosts: BTreeSet<String>,
}

impl Environment {
    /// Looks through one file.
    pub(super) fn read(&mut self, text: &str) {
        for found in MARKS.find_iter(text) {
            let rest = &text[found.end()..];
            if found.pattern().as_usize() >= READS.len() {
                if let Some(host) = host(rest).filter(|_| self.hosts.len() < MOST) {
                    self.hosts.insert(host);
                }
            } else if let Some(name) = variable(rest).filter(|_| self.variables.len() < MOST) {
                self.variables.insert(name.to_owned());
            }
        }
    }
}

/// Whether a variable is called like a secret.
pub(super) fn is_secret(name: &str) -> bool {
    SECRET.iter().any(|part| name.contains(part))
}

/// A name in capital letters, perhaps in quotes.
fn variable(rest: &str) -> Option<&str> {
    let rest = rest.trim_start().trim_start_matches(['"', '\'', '`']);
    let end = rest
        .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
        .unwrap_or(rest.len());
    let name = &rest[..end];
    let goes_on = rest[end..].starts_with(|c: char| c.is_alphanumeric() || c == '$');
    (name.len() > 1 && !goes_on && name.starts_with(|c: char| c.is_ascii_uppercase())).then_some(name)
}

fn host(rest: &str) -> Option<String> {
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-')))
        .unwrap_or(rest.len());
    let host = rest[..end].trim_end_matches('.').to_ascii_lowercase();
    let ending =
        |known: &str| host == known || host.strip_suffix(known).is_some_and(|rest| rest.ends_with('.'));
    let (_, top) = host.rsplit_once('.')?;
    let real = top.len() > 1 && top.chars().all(|c| c.is_ascii_alphabetic());
    // What goes on with a placeholder is no whole host.
    let whole = !rest[end..].starts_with(['$', '{', '%', '<']);
    (real && whole && !NOT_CALLED.iter().any(|known| ending(known))).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_are_found_in_every_language() {
        let mut found = Environment::default();
        for text in [
            "const t = process.env.GITHUB_TOKEN ?? process.env['BASE_URL'];",
            "os.environ[\"A_KEY\"]; os.getenv('B_NAME'); os.environ.get(\"C1\", 'x')",
            "os.Getenv(\"GO_TOKEN\"); std::env::var(\"RUST_LOG\"); System.getenv(\"JAVA_X\")",
            "Environment.GetEnvironmentVariable(\"DOTNET_X\")",
            "process.env.lower; process.env.Mixed; env.call(x)",
        ] {
            found.read(text);
        }
        let names: Vec<&str> = found.variables.iter().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "A_KEY",
                "BASE_URL",
                "B_NAME",
                "C1",
                "DOTNET_X",
                "GITHUB_TOKEN",
                "GO_TOKEN",
                "JAVA_X",
                "RUST_LOG"
            ]
        );
        assert!(is_secret("GITHUB_TOKEN") && !is_secret("BASE_URL"));
    }

    #[test]
    fn hosts_that_are_called_are_told_apart() {
        let mut found = Environment::default();
        found.read("https://api.github.com/x http://localhost:1/ https://www.w3.org/x https://${HOST}/ https://api.{x}.com 'https://slack.com.' https://x https://1.2.3.4/");
        let hosts: Vec<&str> = found.hosts.iter().map(String::as_str).collect();
        assert_eq!(hosts, ["api.github.com", "slack.com"]);
    }
}
