//! Users that namespaces are given.

use std::{fmt, ops::RangeInclusive, str::FromStr};

/// The numbers of users of which each namespace gets one, which is also the number of its group. Nothing else should belong to them.
///
/// ```
/// use tooldock_worker::sandbox::UserRange;
/// let users: UserRange = "70000-79999".parse().expect("it is a range");
/// assert!(users.contains(70_007) && !users.contains(0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRange(RangeInclusive<u32>);

impl UserRange {
    /// Whether `user` is one of them.
    #[must_use]
    pub fn contains(&self, user: u32) -> bool {
        self.0.contains(&user)
    }

    /// Every one of them, in order.
    pub(super) fn numbers(&self) -> RangeInclusive<u32> {
        self.0.clone()
    }
}

impl fmt::Display for UserRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0.start(), self.0.end())
    }
}

/// The text is no range of users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoUserRange;

impl fmt::Display for NoUserRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it must be two numbers of users above 0, the lower one first: `70000-79999`")
    }
}

impl std::error::Error for NoUserRange {}

impl FromStr for UserRange {
    type Err = NoUserRange;

    fn from_str(text: &str) -> Result<Self, NoUserRange> {
        let (first, last) = text.split_once('-').ok_or(NoUserRange)?;
        let number = |text: &str| text.trim().parse().map_err(|_| NoUserRange);
        let range = number(first)?..=number(last)?;
        // The highest number means "nobody in particular" to the system.
        let allowed = *range.start() > 0 && *range.end() < u32::MAX && !range.is_empty();
        allowed.then_some(Self(range)).ok_or(NoUserRange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_users_never_holds_root() {
        let users: UserRange = " 70000 - 70001".parse().unwrap();
        assert_eq!(users.to_string(), "70000-70001");
        for wrong in ["", "70000", "0-5", "-5", "5-4", "1-4294967295", "a-b", "1-2-3"] {
            assert_eq!(wrong.parse::<UserRange>(), Err(NoUserRange), "{wrong}");
        }
    }
}
