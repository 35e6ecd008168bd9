//! Templates of addresses (RFC 6570), read the other way round: from an address to the values of its variables.

mod parse;
mod percent;

use std::collections::BTreeMap;

pub use self::parse::UriTemplateError;
use self::percent::{decode, is_safe};

/// Bytes of an address that is matched; a longer one has no template.
const MAX_URI: usize = 8192;

/// The values of a template's variables, by name.
pub type Variables = BTreeMap<String, String>;

/// A template of addresses: RFC 6570 up to level 3, and `{name*}` for a value that may span segments.
///
/// A value is never empty. That of `{name}` is one segment: it has no `/` except as `%2F`, and does not begin with one. No value has a
/// segment `..`, so a file name made of it stays below its folder. Variables of `{?…}` may be missing, and other parameters
/// of the address are ignored.
///
/// ```
/// use tooldock_engine::catalog::UriTemplate;
/// let template: UriTemplate = "note://{folder}/{name}{?version}".parse()?;
/// let values = template.read("note://inbox/a%20b?version=2").expect("it fits");
/// assert_eq!((&*values["folder"], &*values["name"], &*values["version"]), ("inbox", "a b", "2"));
/// assert!(template.read("note://inbox").is_none());
/// assert!(template.read("note://inbox/..%2Fkeys").is_none());
/// # Ok::<(), tooldock_engine::catalog::UriTemplateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UriTemplate {
    parts: Vec<Part>,
    /// Variables behind the `?`, each of which may be missing.
    query: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Value { name: String, wide: bool },
}

impl UriTemplate {
    /// The names of its variables.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let values = self.parts.iter().filter_map(|part| match part {
            Part::Value { name, .. } => Some(name.as_str()),
            Part::Text(_) => None,
        });
        values.chain(self.query.iter().map(String::as_str))
    }

    /// How many bytes of an address it fixes: of several templates that fit, the one that fixes most is meant.
    pub(in crate::catalog) fn fixed(&self) -> usize {
        let texts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.len(),
            Part::Value { .. } => 0,
        });
        texts.sum()
    }

    /// The values of the variables in `uri`; nothing if `uri` is no address of this template. Takes time of at most the product of both
    /// lengths.
    #[must_use]
    pub fn read(&self, uri: &str) -> Option<Variables> {
        if uri.len() > MAX_URI {
            return None;
        }
        let (path, query) = match (self.query.is_empty(), uri.split_once('?')) {
            (false, Some((path, query))) => (path, query),
            _ => (uri, ""),
        };
        let mut values = self.read_path(path.as_bytes())?;
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if self.query.iter().any(|known| known == name) {
                let value = decode(value.as_bytes()).filter(|value| is_safe(value, true))?;
                values.entry(name.to_owned()).or_insert(value);
            }
        }
        Some(values)
    }

    fn read_path(&self, path: &[u8]) -> Option<Variables> {
        let fits = self.table(path)?;
        let (mut values, mut at) = (Variables::new(), 0);
        for (index, part) in self.parts.iter().enumerate() {
            let end = match part {
                Part::Text(text) => at + text.len(),
                // The longest value behind which the rest still fits.
                Part::Value { wide, .. } => (at + 1..=path.len())
                    .take_while(|end| may_stand(path[end - 1], *wide))
                    .filter(|end| fits[index + 1][*end])
                    .last()?,
            };
            if let Part::Value { name, wide } = part {
                let value = decode(&path[at..end]).filter(|value| is_safe(value, *wide))?;
                // A variable that stands twice has one value.
                if *values.entry(name.clone()).or_insert_with(|| value.clone()) != value {
                    return None;
                }
            }
            at = end;
        }
        Some(values)
    }

    /// For each part and each place of `path`, whether the part and all behind it fit what begins there. Nothing if all do not fit all.
    fn table(&self, path: &[u8]) -> Option<Vec<Vec<bool>>> {
        if let Some(Part::Text(text)) = self.parts.first()
            && !path.starts_with(text.as_bytes())
        {
            return None;
        }
        let mut fits = vec![vec![false; path.len() + 1]; self.parts.len() + 1];
        fits[self.parts.len()][path.len()] = true;
        for (index, part) in self.parts.iter().enumerate().rev() {
            for at in (0..path.len()).rev() {
                fits[index][at] = match part {
                    Part::Text(text) => {
                        path[at..].starts_with(text.as_bytes()) && fits[index + 1][at + text.len()]
                    }
                    Part::Value { wide, .. } => {
                        may_stand(path[at], *wide) && (fits[index + 1][at + 1] || fits[index][at + 1])
                    }
                };
            }
        }
        fits[0][0].then_some(fits)
    }
}

fn may_stand(byte: u8, wide: bool) -> bool {
    wide || !b"/?#".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(template: &str, uri: &str) -> Option<Vec<String>> {
        let template: UriTemplate = template.parse().unwrap();
        let values = template.read(uri)?;
        Some(
            values
                .into_iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect(),
        )
    }

    #[test]
    fn an_address_gives_the_values_that_make_it() {
        let table: &[(&str, &str, &[&str])] = &[
            ("a://b", "a://b", &[]),
            ("a://{x}", "a://1", &["x=1"]),
            ("a://{x}/{y}.txt", "a://1/2.3.txt", &["x=1", "y=2.3"]),
            ("a://{x}-{y}", "a://1-2-3", &["x=1-2", "y=3"]),
            ("a://{path*}", "a://1/2/3", &["path=1/2/3"]),
            ("a://{+path}/end", "a://1/2/end/end", &["path=1/2/end"]),
            ("a://b{/x,y}", "a://b/1/2", &["x=1", "y=2"]),
            ("a://b{.x}", "a://b.1", &["x=1"]),
            ("a://b{;x,y}", "a://b;x=1;y=2", &["x=1", "y=2"]),
            ("a://b{#x}", "a://b#1/2", &["x=1/2"]),
            ("a://{x,y}", "a://1,2", &["x=1", "y=2"]),
            ("a://{x}{?q,r}", "a://1?r=3&q=2&s=4", &["q=2", "r=3", "x=1"]),
            ("a://{x}{?q}", "a://1", &["x=1"]),
            ("a://{x}/{x}", "a://1/1", &["x=1"]),
            ("a://{x}", "a://gr%C3%B6%C3%9Fe%2Fb", &["x=größe/b"]),
            ("größe://{x}", "größe://ä", &["x=ä"]),
        ];
        for (template, uri, values) in table {
            assert_eq!(
                read(template, uri).unwrap_or_default(),
                *values,
                "{template} {uri}"
            );
        }
    }

    #[test]
    fn values_stay_below_the_folder_they_are_put_behind() {
        for (template, uri) in [
            ("a://{x}", "a://"),
            ("a://{x}", "a://1/2"),
            ("a://{x}", "a://1?2"),
            ("a://{x}", "b://1"),
            ("a://{x}", "a://.."),
            ("a://{x}", "a://%2e%2E"),
            ("a://{x}", "a://..%2Fkeys"),
            ("a://{x}", "a://b%2F..%5Ckeys"),
            ("a://{x}", "a://%2Fetc%2Fpasswd"),
            ("a://{x}", "a://%5Cshare"),
            ("a://{x}", "a://a%00b"),
            ("a://{x}", "a://a%0Ab"),
            ("a://{x}", "a://%ff"),
            ("a://{x}", "a://%4"),
            ("a://{+x}", "a://b/../c"),
            ("a://{x*}", "a://.."),
            ("a://b{?x}", "a://b?x=..%2Fc"),
            ("a://{x}/{x}", "a://1/2"),
        ] {
            assert_eq!(read(template, uri), None, "{template} {uri}");
        }
    }

    #[test]
    fn a_costly_pair_ends_soon() {
        let template: UriTemplate = format!("a://{}", "{x*}a{y}a".repeat(16)).parse().unwrap();
        let begun = std::time::Instant::now();
        assert!(template.read(&format!("a://{}b", "a".repeat(8000))).is_none());
        assert!(
            template.read(&format!("a://{}", "a".repeat(8189))).is_none(),
            "it is too long"
        );
        assert!(begun.elapsed() < std::time::Duration::from_secs(2));
    }

    #[test]
    fn what_is_no_template_is_told() {
        for (template, problem) in [
            ("", "1 to 2,048"),
            ("a://{x", "`{` without"),
            ("a://x}", "`}` without"),
            ("a://{}", "name"),
            ("a://{x:3}", "name"),
            ("a://{|x}", "name"),
            ("a://b{&x}", "name"),
            ("a://{x,}", "name"),
            ("a://{?x}/b", "at the end"),
            ("a://{?x}{y}", "at the end"),
        ] {
            let error = template.parse::<UriTemplate>().unwrap_err().to_string();
            assert!(error.contains(problem), "{template}: {error}");
        }
        assert!("{x}".repeat(33).parse::<UriTemplate>().is_err());
    }
}
