//! What is shown of a long text. Secrets are taken out before: of one that is cut in two nobody recognizes the halves.

/// The first `most` bytes of a text, or a few less.
pub(crate) fn keep_start(mut text: String, most: usize) -> String {
    text.truncate(boundary(&text, most));
    text
}

/// The last `most` bytes of a text, from the beginning of a line on where there is one.
pub(crate) fn keep_end(mut text: String, most: usize) -> String {
    let Some(first) = text.len().checked_sub(most).filter(|first| *first > 0) else {
        return text;
    };
    let first = (first..).find(|at| text.is_char_boundary(*at)).unwrap_or(first);
    let rest = text[first..]
        .trim_end()
        .find('\n')
        .map_or(first, |line| first + line + 1);
    text.drain(..rest);
    text
}

/// A line in pieces of at most `most` bytes; an empty one is one piece.
pub(crate) fn pieces(mut line: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut first = true;
    std::iter::from_fn(move || {
        let (piece, rest) = line.split_at(boundary(line, most));
        line = rest;
        (std::mem::take(&mut first) || !piece.is_empty()).then_some(piece)
    })
}

/// The last place up to `most` between two characters.
fn boundary(text: &str, most: usize) -> usize {
    let places = (0..=most.min(text.len())).rev();
    places
        .into_iter()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        for (text, start) in [
            ("", ""),
            ("abc", "abc"),
            ("abcd", "abc"),
            ("abä", "ab"),
            ("äö", "ä"),
        ] {
            assert_eq!(keep_start(text.to_owned(), 3), start);
        }
        for (text, end) in [
            ("", ""),
            ("abc", "abc"),
            ("abcd", "bcd"),
            ("äbc", "bc"),
            ("ab\ncd", "cd"),
            ("abc\n", "bc\n"),
        ] {
            assert_eq!(keep_end(text.to_owned(), 3), end);
        }
        for (text, cut) in [("", &[""][..]), ("abc", &["abc"]), ("äöü", &["ä", "ö", "ü"])] {
            assert_eq!(pieces(text, 3).collect::<Vec<_>>(), cut);
        }
    }
}
