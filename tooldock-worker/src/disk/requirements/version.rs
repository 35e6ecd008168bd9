//! Version conditions in the normal form of PEP 440.

const OPERATORS: [&str; 7] = ["~=", "==", "!=", "<=", ">=", "<", ">"];
const FORM: &str = "has a version condition that is none; write for example `>=1.2,<2` with versions such as `1.2`, `2.0rc1`, `1.0.post1`";

/// Reads conditions separated by commas and spells them one way, sorted.
pub(super) fn read_set(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    let mut set = text
        .split(',')
        .map(|one| read(one.trim()))
        .collect::<Result<Vec<_>, _>>()?;
    set.sort();
    Ok(set.join(","))
}

fn read(text: &str) -> Result<String, &'static str> {
    let operator = OPERATORS
        .into_iter()
        .find(|operator| text.starts_with(operator))
        .ok_or(FORM)?;
    let version = text[operator.len()..].trim_start();
    let exact = matches!(operator, "==" | "!=");
    let (public, local) = version
        .split_once('+')
        .map_or((version, None), |(public, local)| (public, Some(local)));
    let (public, any) = public
        .strip_suffix(".*")
        .map_or((public, false), |public| (public, true));
    let numbers = release(public).ok_or(FORM)?;
    let fits = (!any || (exact && local.is_none() && numbers.plain))
        && local.is_none_or(|local| exact && is_local(local))
        && (operator != "~=" || numbers.count > 1);
    if fits && version.len() <= 64 {
        Ok(format!("{operator}{version}"))
    } else {
        Err(FORM)
    }
}

struct Release {
    /// How many numbers it has.
    count: usize,
    /// Whether nothing follows them.
    plain: bool,
}

/// `1!2.3rc4.post5.dev6`: an epoch, numbers, then the suffixes in this order.
fn release(text: &str) -> Option<Release> {
    let text = match text.split_once('!') {
        Some((epoch, rest)) => number(epoch).filter(|rest| rest.is_empty()).map(|_| rest)?,
        None => text,
    };
    let mut rest = number(text)?;
    let mut count = 1;
    while let Some(next) = rest.strip_prefix('.').and_then(number) {
        (rest, count) = (next, count + 1);
    }
    let plain = rest.is_empty();
    for suffixes in [&["a", "b", "rc"][..], &[".post"], &[".dev"]] {
        if let Some(behind) = suffixes.iter().find_map(|suffix| rest.strip_prefix(suffix)) {
            rest = number(behind)?;
        }
    }
    rest.is_empty().then_some(Release { count, plain })
}

/// What follows the digits at the start of `text`; `None` when there are none.
fn number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < text.len()).then_some(rest)
}

fn is_local(text: &str) -> bool {
    text.split('.')
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase()))
}
