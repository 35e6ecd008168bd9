//! What no file may contain: paths of somebody's machine, marks of unfinished work, tests that are left out.

use super::source::Source;

/// Word, in which files (by extension; none: in all), and why not. Written in halves, as this file is checked too.
const UNWANTED: &[(&str, &[&str], &str)] = &[
    (concat!("/wo", "rk/"), &[], "a path of one machine"),
    (concat!("/ro", "ot/"), &[], "a path of one machine"),
    (concat!("/ho", "me/"), &[], "a path of one machine"),
    (concat!("/Use", "rs/"), &[], "a path of one machine"),
    (concat!("TO", "DO"), &[], "unfinished: do it, or file it"),
    (concat!("FIX", "ME"), &[], "unfinished: do it, or file it"),
    (concat!("XX", "X"), &[], "unfinished: do it, or file it"),
    (concat!("HA", "CK"), &[], "unfinished: do it, or file it"),
    (
        concat!("#[ig", "nore"),
        &["rs"],
        "a test that never runs: fix it or delete it",
    ),
    (
        concat!("pytest.mark.sk", "ip"),
        &["py"],
        "a test that never runs: fix it or delete it",
    ),
    (
        concat!("pytest.mark.xf", "ail"),
        &["py"],
        "a test that never runs: fix it or delete it",
    ),
];

/// One line for each place of an unwanted word.
pub(crate) fn check(file: &Source) -> Vec<String> {
    let mut findings = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        for (word, extensions, reason) in UNWANTED {
            let meant = extensions.is_empty() || extensions.contains(&file.extension());
            if meant && stands_alone(line, word) {
                findings.push(format!("{}:{}: `{word}`: {reason}", file.path, number + 1));
            }
        }
    }
    findings
}

/// Whether the line has the word with no letter or digit directly before it, nor after it where the word ends in one.
fn stands_alone(line: &str, word: &str) -> bool {
    let alphanumeric = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    line.match_indices(word).any(|(at, _)| {
        let after = line[at + word.len()..].chars().next();
        let joined = alphanumeric(word.chars().last()) && alphanumeric(after);
        !alphanumeric(line[..at].chars().last()) && !joined
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        check(&Source {
            path: path.into(),
            text: text.into(),
        })
    }

    #[test]
    fn each_place_is_named() {
        let text = format!("fine\n// {}: later\n", concat!("TO", "DO"));
        assert_eq!(
            found("a.rs", &text),
            [format!(
                "a.rs:2: `{}`: unfinished: do it, or file it",
                concat!("TO", "DO")
            )]
        );
    }

    #[test]
    fn parts_of_longer_words_and_other_kinds_of_file_are_left_alone() {
        assert_eq!(
            found(
                "a.md",
                concat!("https://example.org/net", "wo", "rk/x and ab", "XX", "X1")
            ),
            [""; 0]
        );
        assert_eq!(found("a.md", concat!("`#[ig", "nore]` is not allowed")), [""; 0]);
        assert_eq!(found("a.rs", concat!("#[ig", "nore = \"slow\"]")).len(), 1);
    }
}
