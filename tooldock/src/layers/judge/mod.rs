//! Compiled schemas of tools, and what they say about values.

mod explain;
pub(super) mod problem;
pub(super) mod refusal;
mod schema;
mod side;

use std::sync::{Arc, OnceLock};

use jsonschema::{Validator, ValidatorMap};
use serde_json::Value;
use tooldock_engine::{Catalog, EngineError, ErrorKind, RawJson, ToolName, error::Result};

pub use self::schema::{SchemaProblem, check_output_schema, check_schema};
pub(super) use self::side::Side;
use self::{explain::explain, problem::Problem};

/// Values of more bytes than this are judged away from the threads that serve requests.
const LARGE: usize = 64 << 10;

/// A compiled schema.
#[derive(Debug)]
pub(super) struct Judge {
    /// The schema as it was compiled.
    pub(super) schema: Value,
    validator: Validator,
    /// Every subschema by its JSON pointer, compiled when the first value is refused.
    parts: OnceLock<Option<ValidatorMap>>,
}

/// The key under which a catalog keeps a judge.
#[derive(Debug, PartialEq, Eq, Hash)]
struct JudgeOf(Side, ToolName);

impl Judge {
    /// The judge of one side of `tool`, compiled once per catalog; none when there is no such tool, or no schema on that side.
    ///
    /// # Errors
    /// [`Dependency`](ErrorKind::Dependency) when nothing can be judged by the schema.
    pub(super) fn of(side: Side, catalog: &Catalog, tool: &ToolName) -> Result<Option<Arc<Self>>> {
        let listed = catalog.tool(tool.as_str());
        let Some(schema) = listed.and_then(|tool| side.schema(tool)) else {
            return Ok(None);
        };
        let made = catalog.derived(JudgeOf(side, tool.clone()), || Self::new(schema).map(Arc::new));
        match &*made {
            Ok(judge) => Ok(Some(judge.clone())),
            Err(problem) => Err(refusal::unusable(side, tool, problem)),
        }
    }

    fn new(schema: &RawJson) -> Result<Self, SchemaProblem> {
        let (schema, validator) = schema::compile(schema)?;
        Ok(Self {
            schema,
            validator,
            parts: OnceLock::new(),
        })
    }

    /// Whether `value` fits the schema.
    pub(super) fn fits(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// Up to `most` things that are wrong with `value`, which does not fit; at least one.
    pub(super) fn problems(&self, value: &Value, most: usize) -> Vec<Problem> {
        let parts = self
            .parts
            .get_or_init(|| schema::options().build_map(&self.schema).ok());
        explain(&self.schema, self.validator.draft(), parts.as_ref(), value, most)
    }
}

/// Runs `judging`, which reads a value of so many `bytes`: here, or on a thread for slow work when the value is large.
///
/// # Cancel safety
/// Dropping the future leaves a judgement that has begun on its thread until it is made; it has no effect.
pub(super) async fn judged<T: Send + 'static>(
    bytes: usize,
    judging: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    if bytes <= LARGE {
        return Ok(judging());
    }
    tokio::task::spawn_blocking(judging).await.map_err(|error| {
        EngineError::new(
            ErrorKind::Internal,
            "a value could not be judged by its schema; the operator's log has the cause",
        )
        .with_source(error)
    })
}
