//! Days and times in UTC, as file names and records have them.

use std::{
    fmt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

const SECONDS: u64 = 86_400;
/// Days from the first of March of the year 0 to the first of January 1970.
const SHIFT: u64 = 719_468;
/// Days in 400 years of the Gregorian calendar.
const CYCLE: u64 = 146_097;

/// A day in UTC, counted from 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(u64);

impl Day {
    pub(super) fn of(time: SystemTime) -> Self {
        Self(since_1970(time).as_secs() / SECONDS)
    }

    /// The day that is `days` earlier.
    pub(super) fn before(self, days: u64) -> Self {
        Self(self.0.saturating_sub(days))
    }

    /// The name of its file: `2026-11-28.jsonl`.
    pub(super) fn file(self) -> String {
        format!("{self}.jsonl")
    }

    /// The day whose file is called `name`, if a file of ours can be called that.
    pub(super) fn named(name: &str) -> Option<Self> {
        let mut parts = name.strip_suffix(".jsonl")?.splitn(3, '-').map(str::parse::<u64>);
        let (year, month, date) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
        let plausible =
            (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&date);
        let day = plausible.then(|| Self(days(year, month, date)))?;
        // What is written in another way, or is no day at all, comes out as something else.
        (day.file() == name).then_some(day)
    }
}

/// Days from 1970 to a date. Years are counted from March on, so that the day of a leap year comes last.
fn days(year: u64, month: u64, date: u64) -> u64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year / 4 - year / 100 + year / 400;
    (365 * year + leap_days + (153 * month + 2) / 5 + date - 1).saturating_sub(SHIFT)
}

impl Day {
    /// Year, month and date.
    fn date(self) -> [u64; 3] {
        let (cycle, day) = ((self.0 + SHIFT) / CYCLE, (self.0 + SHIFT) % CYCLE);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let date = day - (153 * month + 2) / 5 + 1;
        [cycle * 400 + year + month / 10, (month + 2) % 12 + 1, date]
    }
}

/// `2026-11-28`.
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [year, month, date] = self.date();
        write!(f, "{year:04}-{month:02}-{date:02}")
    }
}

/// A moment in UTC: `2026-11-28T10:15:00.123Z` (RFC 3339).
#[derive(Debug, Clone, Copy)]
pub(super) struct Stamp(pub(super) SystemTime);

impl Stamp {
    /// Written digit by digit: formatting costs more than all else in a line.
    pub(super) fn text(self) -> [u8; 24] {
        let since = since_1970(self.0);
        let [year, month, date] = Day::of(self.0).date();
        let second = since.as_secs() % SECONDS;
        let mut text = *b"0000-00-00T00:00:00.000Z";
        put(&mut text[..4], year);
        put(&mut text[5..7], month);
        put(&mut text[8..10], date);
        put(&mut text[11..13], second / 3600);
        put(&mut text[14..16], second / 60 % 60);
        put(&mut text[17..19], second % 60);
        put(&mut text[20..23], since.subsec_millis().into());
        text
    }
}

/// Writes the last digits of `number` into `place`.
fn put(place: &mut [u8], mut number: u64) {
    for digit in place.iter_mut().rev() {
        *digit = b"0123456789"[(number % 10) as usize];
        number /= 10;
    }
}

/// A clock that stands before 1970 stands at its beginning.
fn since_1970(time: SystemTime) -> Duration {
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_their_files_name_each_other() {
        for (day, name) in [
            (0, "1970-01-01"),
            (11_015, "2000-02-28"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_782, "2024-02-29"),
            (20_784, "2026-11-27"),
            (47_481, "2099-12-31"),
        ] {
            assert_eq!(Day(day).to_string(), name);
            assert_eq!(Day::named(&Day(day).file()), Some(Day(day)));
        }
        for foreign in [
            "2026-02-30.jsonl",
            "2026-1-01.jsonl",
            "+2026-01-01.jsonl",
            "2026-01-01.jsonl.gz",
            "2026-01-01",
            "core-2026-01-01.jsonl",
            "0000-00-00.jsonl",
            "9999999999999999999-01-01.jsonl",
        ] {
            assert_eq!(Day::named(foreign), None, "{foreign}");
        }
        let time = UNIX_EPOCH + Duration::from_millis(1_795_737_599_007);
        assert_eq!(&Stamp(time).text(), b"2026-11-26T23:59:59.007Z");
    }
}
