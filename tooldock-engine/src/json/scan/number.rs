//! Numbers: their grammar and their range.

use super::{Scan, Step};
use crate::json::{JsonFault, JsonProblem};

/// Digits of an integer that is in the range of a double whichever they are. Beyond that range parsers disagree, whatever they read into.
const SAFE_DIGITS: usize = 308;

impl Scan<'_> {
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

    pub(super) fn number(&mut self) -> Step {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let zero = self.peek() == Some(b'0');
        let digits = self.digits()?;
        if zero && digits > 1 {
            self.at = start;
            return Err(self.fault(JsonProblem::Syntax));
        }
        let mut unsure = digits > SAFE_DIGITS;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
            unsure = true;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
            unsure = true;
        }
        let finite = |text: &[u8]| {
            std::str::from_utf8(text)
                .ok()
                .and_then(|t| t.parse::<f64>().ok())
                .is_some_and(f64::is_finite)
        };
        if unsure && !finite(&self.bytes[start..self.at]) {
            self.at = start;
            return Err(self.fault(JsonProblem::Number));
        }
        Ok(())
    }
}
