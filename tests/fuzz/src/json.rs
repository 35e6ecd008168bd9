//! The strict scan of JSON, against an ordinary parser.

use std::{collections::BTreeSet, fmt};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use tooldock_engine::{
    RawJson,
    json::{JsonProblem, ScanLimits},
};

const LIMITS: ScanLimits = ScanLimits { depth: 6, values: 40 };

/// The scan takes exactly what an ordinary parser takes and what keeps the rules that such a parser does not know.
pub fn check(input: &[u8], planted: bool) {
    let problem = RawJson::scan(input.to_vec(), LIMITS).err();
    assert!(problem.is_none_or(|fault| fault.offset <= input.len()));
    let problem = problem.map(|fault| fault.problem);
    // The bug: names are compared with their escapes.
    let missed = planted && problem == Some(JsonProblem::Repeated) && input.contains(&b'\\');
    let taken = problem.is_none() || missed;
    let judged = serde_json::from_slice::<Judged>(input).ok();
    let kept = judged.as_ref().is_some_and(Judged::keeps_the_rules);
    assert_eq!(taken, kept, "{problem:?}, but the other parser says {judged:?}");
    if judged.is_some() && !taken {
        assert!(problem.is_some_and(JsonProblem::is_json), "{problem:?}");
    }
}

/// What an ordinary parser sees of a value.
#[derive(Debug, Default)]
struct Judged {
    depth: usize,
    values: usize,
    repeats: bool,
}

impl Judged {
    fn keeps_the_rules(&self) -> bool {
        self.depth <= LIMITS.depth && self.values <= LIMITS.values && !self.repeats
    }

    fn leaf<E>() -> Result<Self, E> {
        Ok(Self {
            values: 1,
            ..Self::default()
        })
    }

    fn add(&mut self, part: &Self) {
        self.depth = self.depth.max(part.depth + 1);
        self.values += part.values;
        self.repeats |= part.repeats;
    }

    fn container() -> Self {
        Self {
            depth: 1,
            values: 1,
            repeats: false,
        }
    }
}

impl<'de> Deserialize<'de> for Judged {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(Look)
    }
}

struct Look;

impl<'de> Visitor<'de> for Look {
    type Value = Judged;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Judged, A::Error> {
        let mut judged = Judged::container();
        while let Some(part) = seq.next_element::<Judged>()? {
            judged.add(&part);
        }
        Ok(judged)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Judged, A::Error> {
        let (mut judged, mut names) = (Judged::container(), BTreeSet::new());
        while let Some((name, part)) = map.next_entry::<String, Judged>()? {
            judged.add(&part);
            judged.repeats |= !names.insert(name);
        }
        Ok(judged)
    }
    fn visit_bool<E>(self, _: bool) -> Result<Judged, E> {
        Judged::leaf()
    }
    fn visit_i64<E>(self, _: i64) -> Result<Judged, E> {
        Judged::leaf()
    }
    fn visit_u64<E>(self, _: u64) -> Result<Judged, E> {
        Judged::leaf()
    }
    fn visit_f64<E>(self, _: f64) -> Result<Judged, E> {
        Judged::leaf()
    }
    fn visit_str<E>(self, _: &str) -> Result<Judged, E> {
        Judged::leaf()
    }
    fn visit_unit<E>(self) -> Result<Judged, E> {
        Judged::leaf()
    }
}
