//! What a judge says about arguments.

use serde_json::Value;
use tooldock_engine::{EngineError, RawJson, ToolName};

use super::{
    ArgumentRepair,
    repair::{MOST_REPAIRS, repair},
};
use crate::layers::judge::{Judge, Side, refusal};

/// What a judge says about arguments.
#[derive(Debug)]
pub(super) enum Verdict {
    /// The arguments fit as they are.
    Fits,
    /// These arguments fit instead.
    Repaired(RawJson),
    /// They do not fit.
    Refused(EngineError),
}

impl Verdict {
    /// Judges `arguments` of `tool`, and the repaired ones where that is `allowed`.
    pub(super) fn on(judge: &Judge, tool: &ToolName, arguments: &RawJson, allowed: ArgumentRepair) -> Self {
        let value = match arguments.parse::<Value>() {
            Ok(value) if judge.fits(&value) => return Self::Fits,
            Ok(value) => value,
            Err(error) => return Self::Refused(refusal::unreadable(Side::Arguments, tool, error)),
        };
        // One more than may be repaired, so that too many can be told.
        let problems = judge.problems(&value, MOST_REPAIRS + 1);
        if allowed == ArgumentRepair::On
            && let Some(repaired) = repair(judge, arguments, &value, &problems)
            && repaired.parse().is_ok_and(|value| judge.fits(&value))
        {
            return Self::Repaired(repaired);
        }
        Self::Refused(refusal::refuse(Side::Arguments, tool, &problems))
    }
}
