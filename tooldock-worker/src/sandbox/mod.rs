//! What a worker is kept from: files, neighbours, privileges, more than its share.
//!
//! Everything here is put on the process between `fork` and `exec`, so that it counts for whatever program the environment of a
//! namespace holds, and nothing that runs there later can take it off.

mod cage;
mod homes;
mod isolation;
mod kernel;
mod limits;
mod protection;
mod reach;
mod settings;
mod temp;
mod users;

use std::{fmt, str::FromStr};

pub(crate) use self::{
    cage::{Cage, Confines},
    homes::{Home, Homes},
    limits::Limits,
    reach::Reach,
    temp::TempFolder,
};
pub use self::{
    isolation::Isolation,
    protection::Protection,
    settings::{SandboxChanges, SandboxSettings},
    users::{NoUserRange, UserRange},
};

/// How much confinement workers must have.
///
/// ```
/// use tooldock_worker::sandbox::Sandbox;
/// assert_eq!("strict".parse(), Ok(Sandbox::Strict));
/// assert_eq!(Sandbox::default().to_string(), "best-effort");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sandbox {
    /// None but what costs nothing: a session of its own, memory that others cannot read.
    Off,
    /// What the system can enforce; what it cannot is told in [`Isolation`].
    #[default]
    BestEffort,
    /// All of it; where the system cannot enforce a part, the namespace is refused.
    Strict,
}

/// Every mode by its name.
const MODES: [(Sandbox, &str); 3] = [
    (Sandbox::Off, "off"),
    (Sandbox::BestEffort, "best-effort"),
    (Sandbox::Strict, "strict"),
];

impl fmt::Display for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        MODES
            .iter()
            .filter(|(mode, _)| mode == self)
            .try_for_each(|(_, name)| f.write_str(name))
    }
}

/// The text is none of `off`, `best-effort` and `strict`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownSandbox;

impl fmt::Display for UnknownSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it must be `off`, `best-effort` or `strict`")
    }
}

impl std::error::Error for UnknownSandbox {}

impl FromStr for Sandbox {
    type Err = UnknownSandbox;

    fn from_str(text: &str) -> Result<Self, UnknownSandbox> {
        let found = MODES.iter().find(|(_, name)| *name == text);
        found.map(|(mode, _)| *mode).ok_or(UnknownSandbox)
    }
}
