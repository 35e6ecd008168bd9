//! One requirement: a name, extras, versions and a marker.

use super::{marker, version};

type Refused = &'static str;

const FORM: &str = "is no requirement; write a name, for example `httpx>=0.28`";

/// Reads one line into its normal form; `None` when it is blank or a comment.
pub(super) fn read(raw: &str) -> Result<Option<String>, Refused> {
    if raw.chars().any(|c| c.is_control() && c != '\t') {
        return Err("holds a control character; remove it");
    }
    let text = raw
        .split_once(" #")
        .or_else(|| raw.split_once("\t#"))
        .map_or(raw, |(before, _)| before)
        .trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    refuse_other_forms(text)?;
    let (body, marker) = text
        .split_once(';')
        .map_or((text, None), |(body, marker)| (body, Some(marker)));
    let (name, rest) = take_name(body.trim())?;
    let (extras, versions) = take_extras(rest.trim_start())?;
    let mut line = name;
    if !extras.is_empty() {
        line = format!("{line}[{}]", extras.join(","));
    }
    line.push_str(&version::read_set(versions)?);
    if let Some(marker) = marker {
        line = format!("{line}; {}", marker::read(marker)?);
    }
    Ok(Some(line))
}

/// The forms of an installer's file that are not for namespaces, each with its own answer.
fn refuse_other_forms(text: &str) -> Result<(), Refused> {
    let refused: [(bool, Refused); 6] = [
        (
            !text.is_ascii(),
            "holds a character that is not ASCII; package names are plain ASCII",
        ),
        (
            text.starts_with('-'),
            "is an option; only packages are allowed here, options are the operator's settings",
        ),
        (
            text.contains('\\'),
            "has a backslash; write every requirement on one line",
        ),
        (
            text.contains("://") || text.contains('@'),
            "is an address; name a package of the index instead",
        ),
        (
            text.contains('$') || text.contains('%'),
            "refers to the environment; write the value itself",
        ),
        (
            text.split(';').next().is_some_and(|body| body.contains('/')) || text.starts_with('.'),
            "is a path; name a package of the index instead",
        ),
    ];
    refused
        .iter()
        .find(|(applies, _)| *applies)
        .map_or(Ok(()), |(_, rule)| Err(*rule))
}

/// A distribution name, lower-case with `-` between its parts.
fn take_name(text: &str) -> Result<(String, &str), Refused> {
    let part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let end = text.bytes().position(|b| !part(b)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let edges = [name.bytes().next(), name.bytes().last()];
    if name.len() > 100
        || !edges
            .iter()
            .all(|edge| edge.is_some_and(|b| b.is_ascii_alphanumeric()))
    {
        return Err(FORM);
    }
    let words: Vec<String> = name
        .split(['-', '_', '.'])
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    Ok((words.join("-"), rest))
}

fn take_extras(text: &str) -> Result<(Vec<String>, &str), Refused> {
    let Some(inside) = text.strip_prefix('[') else {
        return Ok((Vec::new(), text));
    };
    let (inside, rest) = inside.split_once(']').ok_or("has no `]` behind its extras")?;
    let mut extras = Vec::new();
    for extra in inside.split(',') {
        match take_name(extra.trim())? {
            (extra, "") => extras.push(extra),
            _ => return Err(FORM),
        }
    }
    extras.sort();
    extras.dedup();
    Ok((extras, rest.trim_start()))
}
