//! Members whose places are noted.

use std::{borrow::Cow, ops::Range};

use super::{Scan, Step};
use crate::json::outline::{Name, Place};

impl Scan<'_> {
    /// Reads the value of the member whose name was read last, and notes where it stands.
    pub(super) fn member(&mut self, plain: Range<usize>, depth: usize, levels: usize) -> Step {
        let name = match self.names.last() {
            Some(Cow::Owned(name)) => Name::Decoded(name.as_slice().into()),
            _ => Name::Plain(plain),
        };
        self.blanks();
        let (index, start) = (self.places.len(), self.at);
        self.places.push(Place {
            name,
            value: start..start,
            end: index,
        });
        self.value(depth, levels)?;
        let end = self.places.len();
        let place = &mut self.places[index];
        (place.value.end, place.end) = (self.at, end);
        Ok(())
    }
}
