//! The time of a write as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, in UTC and whole seconds, as RFC 3339 writes it.
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    text(since.as_secs())
}

/// Whether a text has the form `2026-11-27T00:00:00Z`.
pub(crate) fn is_time(text: &str) -> bool {
    const FORM: &[u8] = b"dddd-dd-ddTdd:dd:ddZ";
    let fits = |(have, want): (u8, &u8)| match want {
        b'd' => have.is_ascii_digit(),
        _ => have == *want,
    };
    text.len() == FORM.len() && text.bytes().zip(FORM).all(fits)
}

/// Seconds since 1970 as a date of the Gregorian calendar: days are counted from a year that begins in March, so that the day
/// of a leap year comes last.
fn text(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + month / 10, (month + 2) % 12 + 1);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_795_737_600, "2026-11-27T00:00:00Z"),
            (4_102_444_799, "2099-12-31T23:59:59Z"),
        ] {
            assert_eq!(text(seconds), expected);
            assert!(is_time(expected));
        }
        assert!(!is_time("2026-11-27 00:00:00Z") && !is_time("2026-11-27T00:00:00z"));
    }
}
