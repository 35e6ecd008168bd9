//! A compiled input schema, and what it says about arguments.

use std::sync::OnceLock;

use jsonschema::{Validator, ValidatorMap};
use serde_json::Value;
use tooldock_engine::{EngineError, RawJson, ToolName};

use super::{
    ArgumentRepair,
    explain::explain,
    problem::Problem,
    refusal,
    repair::{MOST_REPAIRS, repair},
    schema::{self, SchemaProblem},
};

/// A compiled input schema.
#[derive(Debug)]
pub(super) struct Judge {
    /// The schema as it was compiled.
    pub(super) schema: Value,
    validator: Validator,
    /// Every subschema by its JSON pointer, compiled when the first arguments are refused.
    parts: OnceLock<Option<ValidatorMap>>,
}

/// What a judge says.
#[derive(Debug)]
pub(super) enum Verdict {
    /// The arguments fit as they are.
    Fits,
    /// These arguments fit instead.
    Repaired(RawJson),
    /// They do not fit.
    Refused(EngineError),
}

impl Judge {
    pub(super) fn new(schema: &RawJson) -> Result<Self, SchemaProblem> {
        let (schema, validator) = schema::compile(schema)?;
        Ok(Self {
            schema,
            validator,
            parts: OnceLock::new(),
        })
    }

    pub(super) fn verdict(&self, tool: &ToolName, arguments: &RawJson, allowed: ArgumentRepair) -> Verdict {
        let value = match arguments.parse::<Value>() {
            Ok(value) if self.validator.is_valid(&value) => return Verdict::Fits,
            Ok(value) => value,
            Err(error) => return Verdict::Refused(refusal::unreadable(tool, error)),
        };
        let problems = self.problems(&value);
        if allowed == ArgumentRepair::On
            && let Some(repaired) = repair(self, arguments, &value, &problems)
            && repaired
                .parse()
                .is_ok_and(|value| self.validator.is_valid(&value))
        {
            return Verdict::Repaired(repaired);
        }
        Verdict::Refused(refusal::refuse(tool, &problems))
    }

    /// What is wrong with `value`, up to the number of repairs that would be made.
    fn problems(&self, value: &Value) -> Vec<Problem> {
        let parts = self
            .parts
            .get_or_init(|| schema::options().build_map(&self.schema).ok());
        explain(
            &self.schema,
            self.validator.draft(),
            parts.as_ref(),
            value,
            MOST_REPAIRS + 1,
        )
    }
}
