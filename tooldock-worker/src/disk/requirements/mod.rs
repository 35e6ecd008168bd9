//! `requirements.txt`: the packages a namespace needs, read strictly before any installer sees them.

mod line;
mod lock;
mod marker;
mod version;

use std::{collections::BTreeSet, fmt};

pub use self::lock::Lock;
pub(super) use self::lock::{FILE as LOCK_FILE, MAX_BYTES as MAX_LOCK_BYTES};

/// The name of the file.
pub(super) const FILE: &str = "requirements.txt";
/// Bytes the file may have.
pub(super) const MAX_BYTES: u64 = 64 << 10;
/// Packages it may name.
const MAX_LINES: usize = 500;

/// The packages that a namespace needs, in normal form: sorted, spelled one way, without comments.
///
/// ```
/// use tooldock_worker::disk::Requirements;
/// let requirements: Requirements = "# web\nHTTPX >= 0.28 , <1\nrich[jupyter]; python_version < '3.13'\n".parse()?;
/// assert_eq!(requirements.to_string(), "httpx<1,>=0.28\nrich[jupyter]; python_version < \"3.13\"\n");
/// let error = "httpx\n-r /etc/passwd\n".parse::<Requirements>().unwrap_err();
/// assert!(error.to_string().starts_with("line 2: `-r /etc/passwd` is an option"));
/// # Ok::<(), tooldock_worker::disk::RequirementError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requirements(BTreeSet<String>);

/// A line that is no plain requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequirementError {
    line: usize,
    shown: String,
    rule: &'static str,
}

impl fmt::Display for RequirementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `{}` {}", self.line, self.shown, self.rule)
    }
}

impl std::error::Error for RequirementError {}

impl RequirementError {
    fn new(line: usize, shown: &str, rule: &'static str) -> Self {
        let shown = shown
            .trim()
            .chars()
            .take(80)
            .flat_map(char::escape_debug)
            .collect();
        Self { line, shown, rule }
    }
}

impl Requirements {
    /// Adds what `others` names.
    pub(super) fn join(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Whether nothing is needed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lines, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl fmt::Display for Requirements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl std::str::FromStr for Requirements {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let mut lines = BTreeSet::new();
        for (index, raw) in text.split('\n').enumerate() {
            let raw = raw.strip_suffix('\r').unwrap_or(raw);
            let refuse = |rule| RequirementError::new(index + 1, raw, rule);
            if let Some(line) = line::read(raw).map_err(refuse)? {
                lines.insert(line);
            }
            if lines.len() > MAX_LINES {
                return Err(refuse(
                    "is one package too many; 500 are the most a namespace may name",
                ));
            }
        }
        Ok(Self(lines))
    }
}

impl<'a> FromIterator<&'a str> for Requirements {
    /// Lines that the program itself wrote.
    fn from_iter<I: IntoIterator<Item = &'a str>>(lines: I) -> Self {
        Self(lines.into_iter().map(str::to_owned).collect())
    }
}
