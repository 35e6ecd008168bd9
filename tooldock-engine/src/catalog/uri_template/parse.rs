//! Reading a template from its text.

use std::str::FromStr;

use super::{Part, UriTemplate};

/// Bytes that a template may have.
const MAX_TEMPLATE: usize = 2048;
/// Variables that a template may have.
const MAX_VARIABLES: usize = 32;

/// Why a text is no template. `Display` says what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the template `{template}` {problem}")]
pub struct UriTemplateError {
    template: String,
    problem: &'static str,
}

impl FromStr for UriTemplate {
    type Err = UriTemplateError;

    fn from_str(template: &str) -> Result<Self, UriTemplateError> {
        let refuse = |problem| UriTemplateError {
            template: template.chars().take(128).flat_map(char::escape_debug).collect(),
            problem,
        };
        if template.is_empty() || template.len() > MAX_TEMPLATE {
            return Err(refuse("must have 1 to 2,048 bytes"));
        }
        let mut read = Self {
            parts: Vec::new(),
            query: Vec::new(),
        };
        let mut rest = template;
        while let Some((text, behind)) = rest.split_once('{') {
            let (expression, next) = behind
                .split_once('}')
                .ok_or_else(|| refuse("has a `{` without its `}`"))?;
            read.add_text(text).map_err(refuse)?;
            read.add_expression(expression).map_err(refuse)?;
            rest = next;
        }
        read.add_text(rest).map_err(refuse)?;
        if read.variables().count() > MAX_VARIABLES {
            return Err(refuse("has more than 32 variables"));
        }
        Ok(read)
    }
}

impl UriTemplate {
    fn add_text(&mut self, text: &str) -> Result<(), &'static str> {
        if text.contains('}') {
            return Err("has a `}` without its `{`");
        }
        if text.is_empty() {
            return Ok(());
        }
        if !self.query.is_empty() {
            return Err("has text behind `{?…}`, which must stand at the end");
        }
        match self.parts.last_mut() {
            Some(Part::Text(before)) => before.push_str(text),
            _ => self.parts.push(Part::Text(text.to_owned())),
        }
        Ok(())
    }

    fn add_expression(&mut self, expression: &str) -> Result<(), &'static str> {
        let operator = expression
            .chars()
            .next()
            .filter(|first| "+#./;?".contains(*first));
        let names = &expression[operator.map_or(0, char::len_utf8)..];
        let (first, between) = match operator {
            None | Some('+') => ("", ","),
            Some('#') => ("#", ","),
            Some('.') => (".", "."),
            Some('/') => ("/", "/"),
            _ => (";", ";"),
        };
        for (index, written) in names.split(',').enumerate() {
            let name = written.strip_suffix('*').unwrap_or(written);
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            if name.is_empty() || !name.chars().all(plain) {
                return Err("has a variable whose name is not made of letters, digits, `_` and `.`");
            }
            let name = name.to_owned();
            if operator == Some('?') {
                self.query.push(name);
                continue;
            }
            self.add_text(if index == 0 { first } else { between })?;
            if operator == Some(';') {
                self.add_text(&format!("{name}="))?;
            }
            if !self.query.is_empty() {
                return Err("has a variable behind `{?…}`, which must stand at the end");
            }
            let wide = matches!(operator, Some('+' | '#')) || written.ends_with('*');
            self.parts.push(Part::Value { name, wide });
        }
        Ok(())
    }
}
