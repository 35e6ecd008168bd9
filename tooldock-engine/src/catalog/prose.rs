//! Texts that a model or a person will read: without characters that read differently than they look.

use std::borrow::Cow;

/// Bytes that a description may have.
pub const MAX_DESCRIPTION: usize = 16 << 10;

/// `text` without control, bidirectional and invisible characters, and cut to [`MAX_DESCRIPTION`] bytes.
///
/// Line breaks and tabs stay, and so do the joiners that scripts and emoji need. [`CatalogBuilder`](super::CatalogBuilder) does this
/// to every title and description; whoever wants to tell an author that something was taken out compares.
///
/// ```
/// use tooldock_engine::catalog::clean_prose;
/// assert_eq!(clean_prose("Adds.\nSafe\u{202e}."), "Adds.\nSafe.");
/// ```
#[must_use]
pub fn clean_prose(text: &str) -> Cow<'_, str> {
    let end = (0..=text.len().min(MAX_DESCRIPTION))
        .rev()
        .find(|end| text.is_char_boundary(*end));
    let cut = &text[..end.unwrap_or_default()];
    if cut.chars().any(is_hidden) {
        return Cow::Owned(cut.chars().filter(|c| !is_hidden(*c)).collect());
    }
    Cow::Borrowed(cut)
}

/// Whether a character cannot be seen or changes how others are read.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' // controls
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' // direction
        | '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}' // without width
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}' // notes and tags
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalog, Tool};

    #[test]
    fn s53_hidden_characters_are_taken_out() {
        let table = [
            ("plain", "plain"),
            ("two\nlines\tand a tab", "two\nlines\tand a tab"),
            ("bell\u{7}escape\u{1b}[31m", "bellescape[31m"),
            ("right\u{202e}left\u{2066}isolate\u{2069}", "rightleftisolate"),
            ("zero\u{200b}width\u{feff}soft\u{ad}hyphen", "zerowidthsofthyphen"),
            ("tag\u{e0041}\u{e0042}ged", "tagged"),
            ("größe 👩\u{200d}🚀 क्\u{200d}ष", "größe 👩\u{200d}🚀 क्\u{200d}ष"),
        ];
        for (given, expected) in table {
            assert_eq!(clean_prose(given), expected);
        }
    }

    #[test]
    fn s53_a_long_description_is_cut_between_characters() {
        let long = "ä".repeat(MAX_DESCRIPTION);
        let cut = clean_prose(&long);
        assert!(cut.len() <= MAX_DESCRIPTION && cut.chars().all(|c| c == 'ä'));
    }

    #[test]
    fn s53_what_a_catalog_lists_is_clean() {
        let mut tool = Tool::new("a".parse().unwrap());
        tool.title = Some("A\u{202e}".to_owned());
        tool.description = Some("Does\u{200b} it.".to_owned());
        let catalog = Catalog::builder().tool(tool).build().unwrap();
        let tool = catalog.tool("a").unwrap();
        assert_eq!(
            (tool.title.as_deref(), tool.description.as_deref()),
            (Some("A"), Some("Does it."))
        );
    }
}
