//! What must not get out of a gateway: marks that stand for its tokens, its key and its secrets, and whatever they can be written as.

use std::fmt;
use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;
use base64::{
    Engine as _,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE},
};

/// The token of every gateway that the tests start.
pub const TOKEN: &str = "token-of-the-tests-and-of-nothing-else";
/// Its second token, for reloads.
pub(crate) const MANAGER_TOKEN: &str = "manager-token-of-the-tests-61f0c2";
/// The key of its secrets.
pub(crate) const KEY: &str = "key-of-the-tests-9b04e7d15a";
/// The value of a secret that every worker is given. Each way to write it looks different.
pub const SECRET: &str = "mark \"7d3e\" / für+alle\nin two lines";
/// The value of a secret that no worker is given.
pub(crate) const FOREIGN: &str = "mark-b81f-of-nobody's \"namespace\"";

const ALL: [(&str, &str); 5] = [
    ("the bearer token", TOKEN),
    ("the manager token", MANAGER_TOKEN),
    ("the key of the secrets", KEY),
    ("a secret of every worker", SECRET),
    ("a secret of no worker", FOREIGN),
];

/// Those of the gateways that tests start.
static OF_GATEWAYS: LazyLock<Marks> = LazyLock::new(|| Marks::new(&ALL));

/// Finds marks, however they are written.
#[derive(Clone)]
pub struct Marks {
    finder: AhoCorasick,
    names: Arc<[String]>,
}

impl Marks {
    /// These, each with what it stands for.
    ///
    /// # Panics
    ///
    /// When there are far too many.
    #[must_use]
    pub fn new(marks: &[(&str, &str)]) -> Self {
        let each = marks
            .iter()
            .flat_map(|(name, mark)| forms(mark).into_iter().map(|form| ((*name).to_owned(), form)));
        let (names, patterns): (Vec<_>, Vec<_>) = each.unzip();
        Self {
            finder: AhoCorasick::new(patterns).expect("these are few patterns"),
            names: names.into(),
        }
    }

    /// What nothing but a gateway itself may know.
    pub(crate) fn of_gateways() -> Self {
        OF_GATEWAYS.clone()
    }

    /// The first mark in `bytes`: what it stands for.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<&str> {
        let found = self.finder.find(bytes)?;
        Some(&self.names[found.pattern()])
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&*self.names).finish()
    }
}

/// The first mark of a gateway in `bytes`: what it stands for.
#[must_use]
pub fn mark_in(bytes: &[u8]) -> Option<&'static str> {
    OF_GATEWAYS.find(bytes)
}

/// As it is, as JSON has it, as addresses have it, and in base64 wherever in a longer text it stands. These are written independently
/// of the program's own list.
fn forms(mark: &str) -> Vec<Vec<u8>> {
    let json = serde_json::to_string(mark).expect("every text has a JSON form");
    let json = json.trim_matches('"').to_owned();
    let ascii = json.chars().map(|c| {
        if c.is_ascii() {
            c.to_string()
        } else {
            format!("\\u{:04x}", u32::from(c))
        }
    });
    let percent = mark.bytes().map(|byte| {
        let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if plain {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    let texts = [mark.to_owned(), ascii.collect(), percent.collect(), json];
    let lower = texts[2].to_ascii_lowercase();
    let encoded = (0..3_usize).flat_map(|before| {
        let text = [&[0; 3][..before], mark.as_bytes()].concat();
        // The characters in which no bit of what stands around it is.
        let (from, to) = ((before * 4).div_ceil(3), text.len() * 4 / 3);
        [BASE64_STANDARD.encode(&text), BASE64_URL_SAFE.encode(&text)]
            .map(|base64| base64.as_bytes()[from..to].to_vec())
    });
    let texts = texts.into_iter().chain([lower]).map(String::into_bytes);
    texts.chain(encoded).collect()
}
