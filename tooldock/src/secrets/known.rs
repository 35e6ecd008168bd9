//! Finds the known values of a namespace, however they are written, and puts their names in their place.

use std::{borrow::Cow, cmp::Reverse, fmt};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use base64::{
    Engine as _,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE},
};
use tooldock_engine::secret::{Redactor, Secrets};

use super::undone::{Escapes, Undone};

/// Bytes a value must have to be looked for: shorter ones stand in texts by chance.
const MIN_BYTES: usize = 8;

/// The known values of one namespace: each is replaced by `[redacted:NAME]`, whether it is plain, in base64 (also within a longer text
/// that was encoded, and in lines), percent-encoded in whole or in part, or escaped as in JSON or by Python. Values under 8 bytes are not
/// looked for.
///
/// ```
/// use tooldock::{engine::secret::{Redactor as _, SecretValue, Secrets}, secrets::KnownValues};
///
/// let secrets = Secrets::from([("TOKEN".to_owned(), SecretValue::new("s3cret/value".to_owned()))]);
/// let known = KnownValues::of(&secrets).expect("one value is long enough");
/// assert_eq!(&*known.redact(b"?token=s3cret%2Fvalue&x=1"), b"?token=[redacted:TOKEN]&x=1");
/// ```
pub struct KnownValues {
    finder: AhoCorasick,
    /// What is written for each pattern.
    names: Vec<String>,
}

impl KnownValues {
    /// Those of `secrets` that are long enough; nothing when there is none.
    #[must_use]
    pub fn of(secrets: &Secrets) -> Option<Self> {
        let mut patterns = Vec::new();
        let mut names = Vec::new();
        for (name, value) in secrets
            .iter()
            .filter(|(_, value)| value.expose().len() >= MIN_BYTES)
        {
            for form in forms(value.expose()) {
                patterns.push(form);
                names.push(format!("[redacted:{name}]"));
            }
        }
        if patterns.is_empty() {
            return None;
        }
        // Of values that overlap, the first counts, and of those that begin together the longest.
        let finder = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            // The faster kind takes time with the square of a value that repeats itself, and memory for each of its bytes.
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&patterns)
            .ok()?;
        Some(Self { finder, names })
    }
}

/// Where a value is: begin, end, and which pattern that is.
type Spot = (usize, usize, usize);

impl KnownValues {
    fn find<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Spot> + 'a {
        let found = self.finder.find_iter(text);
        found.map(|one| (one.start(), one.end(), one.pattern().as_usize()))
    }

    /// Adds where values are that are escaped up to `times` times. `place` tells where a place of `text` is in the whole text.
    fn find_escaped(
        &self,
        text: &[u8],
        escapes: Escapes,
        times: usize,
        place: &dyn Fn(usize) -> usize,
        found: &mut Vec<Spot>,
    ) {
        let undone = (times > 0).then(|| Undone::of(text, escapes)).flatten();
        let Some(undone) = undone else {
            return;
        };
        let place = |at| place(undone.place(at));
        let behind = |end| match escapes {
            // What was taken out behind a value is no part of it.
            Escapes::Wrap => place(end - 1) + 1,
            _ => place(end),
        };
        let spots = self.find(&undone.text);
        found.extend(spots.map(|(begin, end, which)| (place(begin), behind(end), which)));
        self.find_escaped(&undone.text, escapes, times - 1, &place, found);
    }
}

impl Redactor for KnownValues {
    fn redact<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let mut found: Vec<_> = self.find(text).collect();
        for escapes in Escapes::ALL {
            self.find_escaped(text, escapes, escapes.most_nested(), &|at| at, &mut found);
        }
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        // Of what begins together the longest comes first.
        found.sort_unstable_by_key(|(begin, end, _)| (*begin, Reverse(*end)));
        let (mut clean, mut done) = (Vec::new(), 0);
        for (begin, end, which) in found {
            if begin >= done {
                clean.extend_from_slice(&text[done..begin]);
                clean.extend_from_slice(self.names[which].as_bytes());
            }
            done = done.max(end);
        }
        clean.extend_from_slice(&text[done..]);
        Cow::Owned(clean)
    }
}

impl fmt::Debug for KnownValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KnownValues(…)")
    }
}

/// Every way in which a value may be written but for escapes. Those that say the same as another are there once.
fn forms(value: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![value.as_bytes().to_vec()];
    // Output comes line by line.
    forms.extend(
        value
            .lines()
            .filter(|line| line.len() >= MIN_BYTES)
            .map(|line| line.as_bytes().to_vec()),
    );
    for encoded in [BASE64_STANDARD.encode(value), BASE64_URL_SAFE.encode(value)] {
        forms.push(encoded.trim_end_matches('=').as_bytes().to_vec());
        forms.push(encoded.into_bytes());
    }
    forms.extend((0..3).flat_map(|offset| inner_base64(value.as_bytes(), offset)));
    forms.sort();
    forms.dedup();
    forms
}

/// What is left of a value in base64 when `offset` bytes stand before it and others behind it: the characters that are made of
/// its bits alone.
fn inner_base64(value: &[u8], offset: usize) -> [Vec<u8>; 2] {
    let padded = [vec![0; offset].as_slice(), value].concat();
    let (first, last) = ((offset * 8).div_ceil(6), padded.len() * 8 / 6);
    [BASE64_STANDARD.encode(&padded), BASE64_URL_SAFE.encode(&padded)]
        .map(|encoded| encoded.as_bytes()[first..last].to_vec())
}

#[cfg(test)]
mod tests {
    use tooldock_engine::secret::SecretValue;

    use super::*;

    fn known(pairs: &[(&str, &str)]) -> KnownValues {
        let secrets = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), SecretValue::new((*value).to_owned())));
        KnownValues::of(&secrets.collect()).unwrap()
    }

    fn redacted(known: &KnownValues, text: &str) -> String {
        String::from_utf8(known.redact(text.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn s99_a_long_value_that_repeats_itself_is_known_at_once() {
        let value = "x".repeat(60_000);
        let known = known(&[("LONG", &value)]);
        assert_eq!(redacted(&known, &format!("<{value}>")), "<[redacted:LONG]>");
    }

    #[test]
    fn s99_every_form_of_a_value_is_found() {
        let value = "p/ä\"ss wörd+1\nline two";
        let known = known(&[("PASS", value)]);
        for form in [
            value.to_owned(),
            serde_json::to_string(value).unwrap().trim_matches('"').to_owned(),
            "p/\\u00e4\\\"ss w\\u00f6rd+1\\nline two".to_owned(),
            "p%2F%C3%A4%22ss%20w%C3%B6rd%2B1%0Aline%20two".to_owned(),
            "p%2f%c3%a4%22ss+w%c3%b6rd%2b1%0aline+two".to_owned(),
            // As clients of HTTP and browsers write it: what need not be escaped is not.
            "p/%C3%A4%22ss%20w%C3%B6rd+1%0Aline%20two".to_owned(),
            // JSON in JSON, and an address in another one.
            r#"p/\\u00e4\\\"ss w\\u00f6rd+1\\nline two"#.to_owned(),
            "p/%25C3%25A4%2522ss%2520w%25C3%25B6rd%2B1%250Aline%2520two".to_owned(),
            // As Python shows texts and bytes.
            "p/ä\"ss wörd+1\\nline two".to_owned(),
            "p/\\xc3\\xa4\"ss w\\xc3\\xb6rd+1\\nline two".to_owned(),
            format!(
                "{}\\n{}",
                &BASE64_STANDARD.encode(value)[..12],
                &BASE64_STANDARD.encode(value)[12..]
            ),
            BASE64_STANDARD.encode(value),
            BASE64_URL_SAFE.encode(value),
        ] {
            assert_eq!(
                redacted(&known, &format!("<{form}>")),
                "<[redacted:PASS]>",
                "{form}"
            );
        }
        assert_eq!(redacted(&known, "first p/ä\"ss wörd+1"), "first [redacted:PASS]");
        for before in ["", "u", "us", "use", "user:"] {
            for after in ["", "x", "xy", "xyz"] {
                let encoded = BASE64_STANDARD.encode(format!("{before}{value}{after}"));
                let clean = redacted(&known, &encoded);
                assert!(
                    clean.contains("[redacted:PASS]") && clean.len() < 16 + 24,
                    "{before} {after}: {clean}"
                );
            }
        }
    }

    /// Both quotes: what Python shows of it is neither the value nor its JSON.
    #[test]
    fn s99_a_value_in_a_traceback_is_found() {
        let known = known(&[("PASS", "it's \"quoted\"")]);
        for shown in [
            r#"KeyError: 'it\'s "quoted"'"#,
            r#"ValueError('it\'s "quoted"')"#,
            r#"{"error": "it's \"quoted\""}"#,
        ] {
            let clean = redacted(&known, shown);
            assert!(
                clean.contains("[redacted:PASS]") && !clean.contains("quoted"),
                "{clean}"
            );
        }
    }

    /// One line of it is there as it is, the whole is not.
    #[test]
    fn s99_what_is_found_in_two_ways_is_replaced_as_a_whole() {
        let known = known(&[("LINES", "first line\nab")]);
        assert_eq!(redacted(&known, r"<first line\nab>"), "<[redacted:LINES]>");
    }

    #[test]
    fn s99_line_breaks_around_a_value_stay() {
        let known = known(&[("TOKEN", "s3cret/value")]);
        for (text, clean) in [
            ("s3cret/value\nnext", "[redacted:TOKEN]\nnext"),
            ("s3cret/value\r\n\r\nnext", "[redacted:TOKEN]\r\n\r\nnext"),
            (r"s3cret/value\nnext", r"[redacted:TOKEN]\nnext"),
            ("\n\ns3cret/\nvalue\n\n", "\n\n[redacted:TOKEN]\n\n"),
            (r"\ns3cret/\r\nvalue\n\n", r"\n[redacted:TOKEN]\n\n"),
        ] {
            assert_eq!(redacted(&known, text), clean, "{text}");
        }
    }

    #[test]
    fn s99_the_longest_value_counts_and_short_ones_do_not() {
        let known = known(&[
            ("SHORT", "1234567"),
            ("LONG", "abcdefgh"),
            ("LONGER", "abcdefghij"),
        ]);
        assert_eq!(
            redacted(&known, "1234567 abcdefghi abcdefghij"),
            "1234567 [redacted:LONG]i [redacted:LONGER]"
        );
        assert!(matches!(known.redact(b"nothing here"), Cow::Borrowed(_)));
        assert_eq!(format!("{known:?}"), "KnownValues(…)");
        assert!(KnownValues::of(&Secrets::new()).is_none());
    }
}
