//! Markers: for which interpreter a requirement counts.

const VARIABLES: [&str; 12] = [
    "os_name",
    "sys_platform",
    "platform_machine",
    "platform_python_implementation",
    "platform_release",
    "platform_system",
    "platform_version",
    "python_version",
    "python_full_version",
    "implementation_name",
    "implementation_version",
    "extra",
];
const OPERATORS: [&str; 7] = ["~=", "==", "!=", "<=", ">=", "<", ">"];
/// Brackets inside each other.
const MAX_DEPTH: usize = 8;
const FORM: &str = "has a marker that is none; write for example `; python_version < \"3.13\"`";

/// Reads a marker and spells it one way.
pub(super) fn read(text: &str) -> Result<String, &'static str> {
    let tokens = split(text).ok_or(FORM)?;
    let mut rest = tokens.iter().peekable();
    let whole = expression(&mut rest, MAX_DEPTH).is_some() && rest.peek().is_none();
    if whole { Ok(tokens.join(" ")) } else { Err(FORM) }
}

/// Cuts into words, operators, brackets and quoted texts.
fn split(text: &str) -> Option<Vec<String>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if let '"' | '\'' = first {
            let value = rest[1..].split_once(first)?.0;
            let plain = |b: u8| b.is_ascii_alphanumeric() || b" ._-+*".contains(&b);
            if !value.bytes().all(plain) {
                return None;
            }
            (format!("\"{value}\""), value.len() + 2)
        } else if let Some(operator) = OPERATORS.into_iter().find(|operator| rest.starts_with(operator)) {
            (operator.to_owned(), operator.len())
        } else if matches!(first, '(' | ')') {
            (first.to_string(), 1)
        } else {
            let word = |b: u8| b.is_ascii_lowercase() || b == b'_';
            let length = rest.bytes().position(|b| !word(b)).unwrap_or(rest.len());
            if length == 0 {
                return None;
            }
            (rest[..length].to_owned(), length)
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

type Tokens<'a> = std::iter::Peekable<std::slice::Iter<'a, String>>;

fn expression(tokens: &mut Tokens<'_>, depth: usize) -> Option<()> {
    loop {
        if take(tokens, &["("]).is_some() {
            expression(tokens, depth.checked_sub(1)?)?;
            take(tokens, &[")"])?;
        } else {
            let left = tokens.next()?;
            if take(tokens, &["not"]).is_some() {
                take(tokens, &["in"])?;
            } else {
                take(tokens, &OPERATORS).or_else(|| take(tokens, &["in"]))?;
            }
            let right = tokens.next()?;
            let is_variable = |side: &str| VARIABLES.contains(&side);
            let is_text = |side: &str| side.starts_with('"');
            if !(is_variable(left) && is_text(right) || is_text(left) && is_variable(right)) {
                return None;
            }
        }
        if take(tokens, &["and", "or"]).is_none() {
            return Some(());
        }
    }
}

fn take<'a>(tokens: &mut Tokens<'a>, wanted: &[&str]) -> Option<&'a String> {
    tokens.next_if(|token| wanted.contains(&token.as_str()))
}
