//! The published revisions of the protocol, by name.

use std::{fmt, str::FromStr};

/// How the peers of a revision get to know each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// `initialize` opens a session; everything after it belongs to that session.
    Handshake,
    /// There are no sessions; every request describes itself.
    Modern,
}

/// A published revision, the oldest first. Names are looked up in [`ALL`](Self::ALL) and never compared by size: a later one need not
/// be a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Revision {
    /// The first: HTTP with a stream for each client.
    V2024_11_05,
    /// Streamable HTTP, annotations, batches.
    V2025_03_26,
    /// Structured results, titles, elicitation; no batches.
    V2025_06_18,
    /// Icons, elicitation by link, streams that can be resumed.
    V2025_11_25,
    /// No sessions: every request describes itself.
    V2026_07_28,
}

/// What a revision knows and an older one does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feature {
    /// `annotations` of tools.
    Annotations,
    /// `message` of progress.
    ProgressText,
    /// Content that is sound.
    Audio,
    /// Content that is the address of a resource.
    Links,
    /// `title` and `_meta` of tools, `title` of servers.
    Titles,
    /// `outputSchema` and `structuredContent`, both objects.
    Structured,
    /// `outputSchema` and `structuredContent` of any shape.
    AnyStructured,
    /// `icons`.
    Icons,
    /// The capability `completions`; the method is older.
    Completions,
    /// Questions to the person behind the client.
    Elicitation,
    /// Such questions by a link.
    ElicitationUrl,
    /// Several messages in one array.
    Batches,
    /// Streams begin with an id and tell when to come back, and may end early.
    Polling,
}

impl Revision {
    /// Every revision, the newest first.
    pub const ALL: [Self; 5] = [
        Self::V2026_07_28,
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
        Self::V2024_11_05,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision called `name`.
    ///
    /// ```
    /// use tooldock_mcp::Revision;
    /// assert_eq!(Revision::named("2025-11-25"), Some(Revision::V2025_11_25));
    /// assert_eq!(Revision::named("2025-11-26"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == name)
    }

    /// How its peers get to know each other.
    #[must_use]
    pub const fn era(self) -> Era {
        match self {
            Self::V2024_11_05 | Self::V2025_03_26 | Self::V2025_06_18 | Self::V2025_11_25 => Era::Handshake,
            Self::V2026_07_28 => Era::Modern,
        }
    }

    /// Whether it knows `feature`.
    pub(crate) const fn has(self, feature: Feature) -> bool {
        let (first, last) = feature.span();
        first as u8 <= self as u8 && self as u8 <= last as u8
    }
}

impl Feature {
    /// The first and the last revision that knows it.
    const fn span(self) -> (Revision, Revision) {
        use Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
        match self {
            Self::Batches => (V2025_03_26, V2025_03_26),
            Self::Annotations | Self::ProgressText | Self::Audio | Self::Completions => {
                (V2025_03_26, V2026_07_28)
            }
            Self::Links | Self::Titles | Self::Structured | Self::Elicitation => (V2025_06_18, V2026_07_28),
            Self::Polling => (V2025_11_25, V2025_11_25),
            Self::Icons | Self::ElicitationUrl => (V2025_11_25, V2026_07_28),
            Self::AnyStructured => (V2026_07_28, V2026_07_28),
        }
    }
}

/// A text that names no published revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownRevision;

impl fmt::Display for UnknownRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such revision; a published one is `2025-11-25`, for example")
    }
}

impl std::error::Error for UnknownRevision {}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(name: &str) -> Result<Self, UnknownRevision> {
        Self::named(name).ok_or(UnknownRevision)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The revisions a server speaks. The default is every one.
///
/// ```
/// use tooldock_mcp::{Revision, Revisions};
/// let modern_only = Revisions::of(&[Revision::V2026_07_28]);
/// assert!(modern_only.has(Revision::V2026_07_28) && !modern_only.has(Revision::V2025_11_25));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revisions([bool; Revision::ALL.len()]);

impl Revisions {
    /// Exactly these.
    #[must_use]
    pub fn of(revisions: &[Revision]) -> Self {
        Self(Revision::ALL.map(|revision| revisions.contains(&revision)))
    }

    /// Whether `revision` is spoken.
    #[must_use]
    pub fn has(self, revision: Revision) -> bool {
        self.iter().any(|spoken| spoken == revision)
    }

    /// Those that are spoken, the newest first.
    pub fn iter(self) -> impl Iterator<Item = Revision> {
        Revision::ALL
            .into_iter()
            .zip(self.0)
            .filter_map(|(revision, on)| on.then_some(revision))
    }

    /// Those of one era, the newest first.
    pub fn of_era(self, era: Era) -> impl Iterator<Item = Revision> {
        self.iter().filter(move |revision| revision.era() == era)
    }

    /// The newest of one era, if one is spoken: the counter-offer to a client that offers something else.
    #[must_use]
    pub fn newest(self, era: Era) -> Option<Revision> {
        self.of_era(era).next()
    }
}

impl Default for Revisions {
    fn default() -> Self {
        Self::of(&Revision::ALL)
    }
}
