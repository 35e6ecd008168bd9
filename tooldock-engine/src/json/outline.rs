//! Where the members of the outer objects stand, noted while a text is scanned.

use std::ops::Range;

use bytes::Bytes;

use super::{JsonFault, RawJson, ScanLimits, scan};

/// A scanned value, with the places of the members of its outer objects: they are cut out without being read again.
///
/// ```
/// use tooldock_engine::json::{Outline, ScanLimits};
/// let outline = Outline::scan(r#"{"id": 7, "params": {"name": "echo", "tags": [1, 2]}}"#, ScanLimits::MESSAGE, 2)?;
/// let params = outline.members().find(|member| member.name() == b"params").expect("it is there");
/// let texts: Vec<_> = params.members().map(|member| member.text()).collect();
/// assert_eq!(texts, [&br#""echo""#[..], b"[1, 2]"]);
/// # Ok::<(), tooldock_engine::json::JsonFault>(())
/// ```
#[derive(Debug, Clone)]
pub struct Outline {
    json: RawJson,
    places: Vec<Place>,
}

/// Where one member stands. Those of its value, if it is an object and not too deep, come right behind it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) name: Name,
    pub(super) value: Range<usize>,
    /// The place behind its last inner member.
    pub(super) end: usize,
}

/// The name of a member.
#[derive(Debug, Clone)]
pub(super) enum Name {
    /// It stands so in the text.
    Plain(Range<usize>),
    /// It is written with escapes.
    Decoded(Box<[u8]>),
}

impl Outline {
    /// Takes `text` as [`RawJson::scan`] does, and notes the members of objects within each other down to `levels`; what stands in
    /// arrays is left out. It keeps some 50 bytes for each.
    ///
    /// # Errors
    /// The broken rule and its place.
    pub fn scan(text: impl Into<Bytes>, limits: ScanLimits, levels: usize) -> Result<Self, JsonFault> {
        let bytes = text.into();
        let places = scan::outline(&bytes, limits, levels)?;
        Ok(Self {
            json: RawJson::trusted(bytes),
            places,
        })
    }

    /// The whole value.
    #[must_use]
    pub fn json(&self) -> &RawJson {
        &self.json
    }

    /// The members of the value in their order; none if it is no object.
    pub fn members(&self) -> impl Iterator<Item = Member<'_>> {
        self.within(0..self.places.len())
    }

    fn within(&self, places: Range<usize>) -> impl Iterator<Item = Member<'_>> {
        let mut next = places.start;
        std::iter::from_fn(move || {
            let index = next;
            next = self.places[..places.end].get(index)?.end;
            Some(Member { outline: self, index })
        })
    }
}

/// One member of an object in an [`Outline`].
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    outline: &'a Outline,
    index: usize,
}

impl<'a> Member<'a> {
    fn place(self) -> &'a Place {
        &self.outline.places[self.index]
    }

    /// Its name in UTF-8, without escapes.
    #[must_use]
    pub fn name(self) -> &'a [u8] {
        match &self.place().name {
            Name::Plain(range) => &self.outline.json.as_bytes()[range.clone()],
            Name::Decoded(name) => name,
        }
    }

    /// The text of its value.
    #[must_use]
    pub fn text(self) -> &'a [u8] {
        &self.outline.json.as_bytes()[self.place().value.clone()]
    }

    /// Its value, if that is true or false.
    #[must_use]
    pub fn flag(self) -> Option<bool> {
        match self.text() {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// Its value, cut out without copying.
    #[must_use]
    pub fn value(self) -> RawJson {
        self.outline.json.slice(self.place().value.clone())
    }

    /// The members of its value; none if that is no object, or deeper than the outline goes.
    pub fn members(self) -> impl Iterator<Item = Member<'a>> {
        self.outline.within(self.index + 1..self.place().end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str, levels: usize) -> Outline {
        Outline::scan(text.to_owned(), ScanLimits::MESSAGE, levels).unwrap()
    }

    /// Names and values as deep as they are noted.
    fn write<'a>(members: impl Iterator<Item = Member<'a>>) -> String {
        let parts = members.map(|member| {
            let inner: Vec<_> = member.members().collect();
            let (name, text) = (member.name(), String::from_utf8_lossy(member.text()));
            assert_eq!(member.value().as_bytes(), member.text());
            match inner.is_empty() {
                true => format!("{}={text}", String::from_utf8_lossy(name)),
                false => format!("{}({})", String::from_utf8_lossy(name), write(inner.into_iter())),
            }
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn members_are_noted_down_to_the_level_that_is_wanted() {
        let text = r#" { "a" : 1 , "b":{"c":{"d":"}"},"e":[{"f":1}]} ,"g":null } "#;
        assert_eq!(write(outline(text, 0).members()), "");
        assert_eq!(
            write(outline(text, 1).members()),
            r#"a=1 b={"c":{"d":"}"},"e":[{"f":1}]} g=null"#
        );
        assert_eq!(
            write(outline(text, 2).members()),
            r#"a=1 b(c={"d":"}"} e=[{"f":1}]) g=null"#
        );
        let all = r#"a=1 b(c(d="}") e=[{"f":1}]) g=null"#;
        assert_eq!(write(outline(text, 3).members()), all);
        assert_eq!(
            write(outline(text, 9).members()),
            all,
            "arrays are not looked into"
        );
        for no_object in ["[{\"a\":1}]", "1", "\"a\"", "{}"] {
            assert_eq!(outline(no_object, 9).members().count(), 0, "{no_object}");
        }
    }

    #[test]
    fn s10_a_name_is_told_without_its_escapes() {
        let outline = outline(r#"{"\u006eame":1,"na\"me":2}"#, 1);
        let names: Vec<_> = outline.members().map(Member::name).collect();
        assert_eq!(names, [&b"name"[..], b"na\"me"]);
    }
}
