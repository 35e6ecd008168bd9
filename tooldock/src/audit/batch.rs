//! Lines that wait to be written, one behind the other in one buffer.

use std::mem;

use super::{day::Day, line::Line};

/// Bytes that a buffer keeps when it is empty.
const KEEP: usize = 512 << 10;

/// Lines in the order in which they came, each without its end.
#[derive(Debug, Default)]
pub(super) struct Batch {
    text: Vec<u8>,
    places: Vec<Place>,
}

/// Where a line of the buffer ends, and in whose file it belongs.
#[derive(Debug)]
struct Place {
    day: Day,
    end: usize,
}

impl Batch {
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn push(&mut self, line: &Line) {
        self.text.extend_from_slice(&line.text);
        self.places.push(Place {
            day: line.day,
            end: self.text.len(),
        });
    }

    /// Takes all lines of `other`, behind its own.
    pub(super) fn append(&mut self, other: &mut Self) {
        if self.is_empty() {
            // Both keep their room.
            mem::swap(self, other);
            return;
        }
        let shift = self.text.len();
        self.text.extend_from_slice(&other.text);
        self.places.extend(other.places.drain(..).map(|place| Place {
            end: place.end + shift,
            ..place
        }));
        other.remove_first(other.len());
    }

    /// The lines from the one at `first` on.
    pub(super) fn from(&self, first: usize) -> impl Iterator<Item = (Day, &[u8])> {
        let mut start = self.end_of(first);
        self.places[first..].iter().map(move |place| {
            let text = &self.text[start..place.end];
            start = place.end;
            (place.day, text)
        })
    }

    /// Takes the first `count` lines off.
    pub(super) fn remove_first(&mut self, count: usize) {
        let cut = self.end_of(count);
        self.places.drain(..count);
        self.text.drain(..cut);
        for place in &mut self.places {
            place.end -= cut;
        }
        if self.is_empty() {
            self.text.shrink_to(KEEP);
            self.places.shrink_to(KEEP / size_of::<Place>());
        }
    }

    /// Where the first `count` lines end.
    fn end_of(&self, count: usize) -> usize {
        count.checked_sub(1).map_or(0, |last| self.places[last].end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(texts: &[&str]) -> Batch {
        let mut batch = Batch::default();
        for text in texts {
            batch.push(&Line {
                day: Day::named("2026-11-28.jsonl").unwrap(),
                text: text.as_bytes().to_vec(),
            });
        }
        batch
    }

    fn texts(batch: &Batch, first: usize) -> Vec<&str> {
        let lines = batch.from(first);
        lines.map(|(_, text)| str::from_utf8(text).unwrap()).collect()
    }

    #[test]
    fn lines_come_out_as_they_went_in() {
        let mut lines = batch(&["a", "", "bcd"]);
        assert_eq!((lines.len(), texts(&lines, 1)), (3, vec!["", "bcd"]));
        let mut more = batch(&["e", "fg"]);
        lines.append(&mut more);
        assert!(more.is_empty());
        assert_eq!(texts(&lines, 0), ["a", "", "bcd", "e", "fg"]);
        lines.remove_first(3);
        assert_eq!(texts(&lines, 0), ["e", "fg"]);
        more.append(&mut lines);
        assert_eq!((lines.len(), texts(&more, 1)), (0, vec!["fg"]));
        more.remove_first(2);
        assert!(more.is_empty());
        assert_eq!(texts(&more, 0), Vec::<&str>::new());
    }
}
