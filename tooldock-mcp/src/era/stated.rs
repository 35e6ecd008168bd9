//! What the version header states, and what follows from that.

use super::{Exchange, Single};
use crate::{
    refusal::{Refusal, code},
    revision::{Era, Revision},
};

/// What the version header states.
pub(super) enum Stated<'a> {
    Nothing,
    Modern,
    Handshake(Revision),
    Foreign(&'a str),
}

impl<'a> Exchange<'a> {
    pub(super) fn stated(&self) -> Stated<'a> {
        let name = match self.headers.map(|headers| headers.version) {
            None | Some(Single::Absent) => return Stated::Nothing,
            Some(Single::One(name)) => name,
            Some(Single::Unclear) => "",
        };
        match Revision::named(name) {
            Some(revision) if revision.era() == Era::Modern => Stated::Modern,
            Some(revision) => Stated::Handshake(revision),
            None => Stated::Foreign(name),
        }
    }

    pub(super) fn is_sessionless(&self) -> bool {
        matches!(self.stated(), Stated::Modern) || self.spoken.newest(Era::Handshake).is_none()
    }

    /// Refuses what belongs to sessions where there are none.
    pub(super) fn handshake_era(&self) -> Result<(), Refusal> {
        match self.spoken.newest(Era::Handshake) {
            Some(_) => Ok(()),
            None => Err(self.unsupported("")),
        }
    }

    pub(super) fn handshake_header(&self) -> Result<(), Refusal> {
        self.handshake_era()?;
        match self.stated() {
            Stated::Nothing => Ok(()),
            Stated::Handshake(revision) if self.spoken.has(revision) => Ok(()),
            Stated::Handshake(_) | Stated::Modern | Stated::Foreign(_) => Err(Refusal::bad(
                code::INVALID_REQUEST,
                format!(
                    "`MCP-Protocol-Version` names no revision with sessions that is spoken here; there is {}",
                    listed(self.spoken.of_era(Era::Handshake))
                ),
            )),
        }
    }

    /// The refusal of a revision that is not spoken; `requested` is what the peer named, if anything.
    pub(super) fn unsupported(&self, requested: &str) -> Refusal {
        let spoken = self.spoken.of_era(Era::Modern);
        let names: Vec<&str> = spoken.map(Revision::as_str).collect();
        let requested: String = requested.chars().take(64).collect();
        Refusal::bad(
            code::UNSUPPORTED_VERSION,
            format!(
                "the protocol revision is not spoken here; there is {}",
                listed(self.spoken.iter())
            ),
        )
        .with_data(serde_json::json!({"supported": names, "requested": requested}).into())
    }
}

fn listed(revisions: impl Iterator<Item = Revision>) -> String {
    revisions
        .map(|revision| format!("`{revision}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
