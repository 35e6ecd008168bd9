//! The strict one-pass scan. It builds no tree; it only says yes or where the text breaks a rule.

mod member;
mod number;
mod text;

use std::borrow::Cow;

pub(super) use self::text::plain;
use super::outline::Place;
use crate::json::{JsonFault, JsonProblem, ScanLimits};

/// Objects of up to so many members compare names pairwise, larger ones sort them.
const PAIRWISE: usize = 12;

/// Names that usually are open at once.
const NAMES: usize = 16;

/// Checks that `bytes` are exactly one JSON value that keeps every rule.
pub(super) fn scan(bytes: &[u8], limits: ScanLimits) -> Result<(), JsonFault> {
    outline(bytes, limits, 0).map(drop)
}

/// The same, and where the members of objects within each other stand, down to `levels`.
pub(super) fn outline(bytes: &[u8], limits: ScanLimits, levels: usize) -> Result<Vec<Place>, JsonFault> {
    if let Err(error) = std::str::from_utf8(bytes) {
        return Err(JsonFault {
            problem: JsonProblem::Encoding,
            offset: error.valid_up_to(),
        });
    }
    let mut scan = Scan {
        bytes,
        at: 0,
        limits,
        values: limits.values,
        names: Vec::with_capacity(NAMES),
        places: Vec::with_capacity(if levels > 0 { NAMES } else { 0 }),
    };
    scan.value(limits.depth, levels)?;
    scan.blanks();
    if scan.at == bytes.len() {
        Ok(scan.places)
    } else {
        Err(scan.fault(JsonProblem::Trailing))
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    limits: ScanLimits,
    /// Values that may still follow.
    values: usize,
    /// Names of all objects that are open, the innermost last.
    names: Vec<Cow<'a, [u8]>>,
    places: Vec<Place>,
}

type Step = Result<(), JsonFault>;

impl<'a> Scan<'a> {
    fn fault(&self, problem: JsonProblem) -> JsonFault {
        JsonFault {
            problem,
            offset: self.at,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, text: &[u8]) -> Step {
        if !self.bytes[self.at..].starts_with(text) {
            return Err(self.fault(JsonProblem::Syntax));
        }
        self.at += text.len();
        Ok(())
    }

    /// Reads a value in which `levels` of objects are noted.
    fn value(&mut self, depth: usize, levels: usize) -> Step {
        self.blanks();
        self.values = self
            .values
            .checked_sub(1)
            .ok_or_else(|| self.fault(JsonProblem::Values(self.limits.values)))?;
        match self.peek() {
            Some(b'{') => self.object(depth, levels),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(drop),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.expect(b"true"),
            Some(b'f') => self.expect(b"false"),
            Some(b'n') => self.expect(b"null"),
            _ => Err(self.fault(JsonProblem::Syntax)),
        }
    }

    fn enter(&mut self, depth: usize) -> Result<usize, JsonFault> {
        let inner = depth
            .checked_sub(1)
            .ok_or_else(|| self.fault(JsonProblem::Depth(self.limits.depth)))?;
        self.at += 1;
        self.blanks();
        Ok(inner)
    }

    /// Reads what follows an element: another one (true) or `close` (false).
    fn more(&mut self, close: u8) -> Result<bool, JsonFault> {
        self.blanks();
        let next = self.peek();
        if next != Some(b',') && next != Some(close) {
            return Err(self.fault(JsonProblem::Syntax));
        }
        self.at += 1;
        Ok(next == Some(b','))
    }

    fn array(&mut self, depth: usize) -> Step {
        let inner = self.enter(depth)?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.value(inner, 0)?;
            if !self.more(b']')? {
                return Ok(());
            }
        }
    }

    fn object(&mut self, depth: usize, levels: usize) -> Step {
        let inner = self.enter(depth)?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        let first = self.names.len();
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err(self.fault(JsonProblem::Syntax));
            }
            let start = self.at + 1;
            let name = self.string()?;
            let plain = start..self.at - 1;
            self.names.push(name);
            self.blanks();
            self.expect(b":")?;
            match levels.checked_sub(1) {
                None => self.value(inner, 0)?,
                Some(levels) => self.member(plain, inner, levels)?,
            }
            if !self.more(b'}')? {
                break;
            }
        }
        if repeats(&mut self.names[first..]) {
            return Err(self.fault(JsonProblem::Repeated));
        }
        self.names.truncate(first);
        Ok(())
    }
}

fn repeats(names: &mut [Cow<'_, [u8]>]) -> bool {
    if names.len() <= PAIRWISE {
        return names
            .iter()
            .enumerate()
            .any(|(i, name)| names[..i].contains(name));
    }
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests;
