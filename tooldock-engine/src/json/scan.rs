//! The strict one-pass scan. It builds no tree; it only says yes or where the text breaks a rule.

use std::borrow::Cow;

use super::{JsonFault, JsonProblem, ScanLimits};

/// Digits that an integer without fraction or exponent may have (the limit of the Python runtime behind it).
const INTEGER_DIGITS: usize = 4300;
/// Objects of up to so many members compare names pairwise, larger ones sort them.
const PAIRWISE: usize = 12;

/// Checks that `bytes` are exactly one JSON value that keeps every rule.
pub(super) fn scan(bytes: &[u8], limits: ScanLimits) -> Result<(), JsonFault> {
    if let Err(error) = std::str::from_utf8(bytes) {
        return Err(JsonFault {
            problem: JsonProblem::Encoding,
            offset: error.valid_up_to(),
        });
    }
    let mut scan = Scan {
        bytes,
        at: 0,
        values: limits.values,
        names: Vec::new(),
    };
    scan.value(limits.depth)?;
    scan.blanks();
    if scan.at == bytes.len() {
        Ok(())
    } else {
        Err(scan.fault(JsonProblem::Trailing))
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Values that may still follow.
    values: usize,
    /// Names of all objects that are open, the innermost last.
    names: Vec<Cow<'a, [u8]>>,
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

    fn value(&mut self, depth: usize) -> Step {
        self.blanks();
        self.values = self
            .values
            .checked_sub(1)
            .ok_or_else(|| self.fault(JsonProblem::Values))?;
        match self.peek() {
            Some(b'{') => self.object(depth),
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
            .ok_or_else(|| self.fault(JsonProblem::Depth))?;
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
            self.value(inner)?;
            if !self.more(b']')? {
                return Ok(());
            }
        }
    }

    fn object(&mut self, depth: usize) -> Step {
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
            let name = self.string()?;
            self.names.push(name);
            self.blanks();
            self.expect(b":")?;
            self.value(inner)?;
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

    /// Reads a string, decoded only if it holds escapes.
    fn string(&mut self) -> Result<Cow<'a, [u8]>, JsonFault> {
        self.at += 1;
        let start = self.at;
        let mut decoded: Option<Vec<u8>> = None;
        loop {
            let run = self.at;
            while self.peek().is_some_and(|b| b >= 0x20 && b != b'"' && b != b'\\') {
                self.at += 1;
            }
            let text = &self.bytes[run..self.at];
            if let Some(decoded) = &mut decoded {
                decoded.extend_from_slice(text);
            }
            match self.peek() {
                Some(b'"') => {
                    let raw = &self.bytes[start..self.at];
                    self.at += 1;
                    return Ok(decoded.map_or(Cow::Borrowed(raw), Cow::Owned));
                }
                Some(b'\\') => {
                    let so_far = decoded.get_or_insert_with(|| text.to_vec());
                    let character = escape(self.bytes, &mut self.at)?;
                    so_far.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return Err(self.fault(JsonProblem::Syntax)),
            }
        }
    }

    fn digits(&mut self) -> Result<usize, JsonFault> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            Err(self.fault(JsonProblem::Syntax))
        } else {
            Ok(self.at - start)
        }
    }

    fn number(&mut self) -> Step {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let zero = self.peek() == Some(b'0');
        let digits = self.digits()?;
        if (zero && digits > 1) || digits > INTEGER_DIGITS {
            self.at = start;
            return Err(self.fault(if zero {
                JsonProblem::Syntax
            } else {
                JsonProblem::Number
            }));
        }
        let mut float = false;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
            float = true;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
            float = true;
        }
        let finite = |text: &[u8]| {
            std::str::from_utf8(text)
                .ok()
                .and_then(|t| t.parse::<f64>().ok())
                .is_some_and(f64::is_finite)
        };
        if float && !finite(&self.bytes[start..self.at]) {
            self.at = start;
            return Err(self.fault(JsonProblem::Number));
        }
        Ok(())
    }
}

/// Reads one escape whose backslash is at `at`.
fn escape(bytes: &[u8], at: &mut usize) -> Result<char, JsonFault> {
    let offset = *at;
    let fault = |problem| JsonFault { problem, offset };
    let kind = *bytes.get(offset + 1).ok_or(fault(JsonProblem::Syntax))?;
    *at += 2;
    let plain = match kind {
        b'"' | b'\\' | b'/' => char::from(kind),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let high = hex(bytes, at).ok_or(fault(JsonProblem::Syntax))?;
            if !(0xd800..0xe000).contains(&high) {
                return char::from_u32(high).ok_or(fault(JsonProblem::Surrogate));
            }
            let paired = high < 0xdc00 && bytes[*at..].starts_with(b"\\u");
            *at += if paired { 2 } else { 0 };
            let low = if paired { hex(bytes, at) } else { None };
            let low = low
                .filter(|low| (0xdc00..0xe000).contains(low))
                .ok_or(fault(JsonProblem::Surrogate))?;
            return char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                .ok_or(fault(JsonProblem::Surrogate));
        }
        _ => return Err(fault(JsonProblem::Syntax)),
    };
    Ok(plain)
}

fn hex(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let text = bytes.get(*at..*at + 4)?;
    *at += 4;
    text.iter()
        .try_fold(0, |sum, b| Some(sum * 16 + char::from(*b).to_digit(16)?))
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
#[path = "scan_tests.rs"]
mod tests;
