//! Changing some values of arguments and keeping the bytes of all others.

use std::{collections::BTreeMap, ops::Range};

use serde_json::value::RawValue;
use tooldock_engine::{
    RawJson,
    json::{Members, ScanLimits},
};

use super::repair::Edit;
use crate::layers::judge::problem::Step;

/// `arguments` with the values at the places of `edits` changed. Parameters can be dropped, deeper values only replaced.
pub(super) fn splice(arguments: &RawJson, edits: &BTreeMap<&[Step], Edit>) -> Option<RawJson> {
    let Members(members) = arguments.parse().ok()?;
    let mut out = String::with_capacity(arguments.len());
    out.push('{');
    for (name, value) in members {
        let mut text = value.get().to_owned();
        let mut kept = true;
        // From the last place to the first, so that the ranges before stay true.
        let mine = edits
            .iter()
            .filter(|(place, _)| place.first() == Some(&Step::Name(name.to_string())));
        let mut mine: Vec<(Range<usize>, &Edit)> = mine
            .map(|(place, edit)| Some((range(value, &place[1..])?, edit)))
            .collect::<Option<_>>()?;
        mine.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        for (range, edit) in mine {
            match edit {
                Edit::Drop => kept = false,
                Edit::Replace(json) => text.replace_range(range, json.as_str()),
            }
        }
        if kept {
            let comma = if out.len() > 1 { "," } else { "" };
            out.extend([comma, RawJson::string(&name).as_str(), ":", &text]);
        }
    }
    out.push('}');
    RawJson::scan(out, ScanLimits::RESULT).ok()
}

/// Where the value at `place` stands in the text of `value`.
fn range(value: &RawValue, place: &[Step]) -> Option<Range<usize>> {
    let inner = place.iter().try_fold(value, |value, step| match step {
        Step::Index(index) => serde_json::from_str::<Vec<&RawValue>>(value.get())
            .ok()?
            .get(*index)
            .copied(),
        Step::Name(name) => {
            let Members(members) = serde_json::from_str(value.get()).ok()?;
            members
                .into_iter()
                .find(|(member, _)| member == name)
                .map(|(_, value)| value)
        }
    })?;
    // The inner text is a slice of the outer one.
    let start = inner.get().as_ptr() as usize - value.get().as_ptr() as usize;
    Some(start..start + inner.get().len())
}
