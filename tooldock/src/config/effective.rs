//! Settings as they count, to be shown.

use std::fmt::Write as _;

/// A setting as it counts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Effective {
    /// Its name.
    pub name: &'static str,
    /// Its value; of a secret only whether it is set.
    pub value: String,
    /// Where it comes from.
    pub source: String,
}

/// The settings as lines for a person, aligned.
#[must_use]
pub fn as_text(settings: &[Effective]) -> String {
    let width = settings
        .iter()
        .map(|setting| setting.name.len())
        .max()
        .unwrap_or_default();
    let mut page = String::new();
    for Effective { name, value, source } in settings {
        writeln!(page, "{name:width$}  {value}  ({source})").expect("a String takes every text");
    }
    page
}
