//! Everything that is wrong with the settings, in one report.

use std::fmt;

/// Exit status for wrong settings (`EX_CONFIG` of sysexits).
pub const EXIT_CONFIG: u8 = 78;

/// Everything that is wrong with the settings: one line each, naming the setting and the remedy, never a secret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mistakes(Vec<String>);

impl Mistakes {
    /// A single one.
    #[must_use]
    pub fn one(line: impl Into<String>) -> Self {
        Self(vec![line.into()])
    }

    /// Notes those of another report as well.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Notes one.
    pub fn push(&mut self, line: impl Into<String>) {
        self.0.push(line.into());
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.0
    }

    /// `value`, if there is no mistake.
    ///
    /// # Errors
    /// The report.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the settings have {} mistake(s):", self.0.len())?;
        self.0.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

impl std::error::Error for Mistakes {}
