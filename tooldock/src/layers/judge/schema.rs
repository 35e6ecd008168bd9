//! A schema of a tool, made ready for compiling.

use jsonschema::{PatternOptions, ValidationOptions, Validator};
use serde_json::{Map, Value, json};
use tooldock_engine::{
    RawJson, Tool,
    json::{JsonProblem, ScanLimits},
};

use super::{Judge, problem::cut};

const MOST_BYTES: usize = 256 << 10;
const MOST_LEVELS: usize = 64;
const MOST_SUBSCHEMAS: usize = 10_000;
/// Bytes that a compiled pattern may take.
const PATTERN_BYTES: usize = 1 << 20;

/// Why nothing can be judged by a schema. `Display` continues the words "the input schema …" or "the output schema …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaProblem {
    /// Larger than 256 KiB.
    #[error("has {0} bytes, and at most {MOST_BYTES} are allowed")]
    TooLarge(usize),
    /// Nested deeper than 64 levels.
    #[error("is nested deeper than {MOST_LEVELS} levels")]
    TooDeep,
    /// More than 10,000 subschemas.
    #[error("has more than {MOST_SUBSCHEMAS} subschemas")]
    TooMany,
    /// Not a schema, of an unknown dialect, or with a reference that leads nowhere.
    #[error("cannot be used: {0}")]
    Unusable(String),
}

/// Checks that calls of `tool` can be judged by its input schema; for the report of a load.
///
/// Calls of a tool whose schema cannot be used answer [`Dependency`](tooldock_engine::ErrorKind::Dependency).
/// JSON Schema 2020-12 unless `$schema` names an older draft. Nothing is fetched: references stay inside the schema. A
/// pattern that the linear-time engine cannot compile is left out and not an error.
///
/// # Errors
/// What is wrong with the schema.
pub fn check_schema(tool: &Tool) -> Result<(), SchemaProblem> {
    Judge::new(&tool.input_schema).map(drop)
}

/// Checks that results of `tool` can be judged by its output schema, if it has one, as [`check_schema`] does for its input schema.
///
/// # Errors
/// What is wrong with the schema.
pub fn check_output_schema(tool: &Tool) -> Result<(), SchemaProblem> {
    tool.output_schema
        .as_ref()
        .map_or(Ok(()), |schema| Judge::new(schema).map(drop))
}

/// How every schema is compiled: nothing is fetched, patterns run in linear time, formats only describe.
pub(super) fn options() -> ValidationOptions<'static> {
    let patterns = PatternOptions::regex()
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES);
    jsonschema::options()
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(patterns)
}

/// Reads and compiles `schema`, without the patterns that cannot be compiled.
pub(super) fn compile(schema: &RawJson) -> Result<(Value, Validator), SchemaProblem> {
    if schema.len() > MOST_BYTES {
        return Err(SchemaProblem::TooLarge(schema.len()));
    }
    let limits = ScanLimits {
        depth: MOST_LEVELS,
        values: MOST_BYTES,
    };
    RawJson::scan(schema.clone().into_bytes(), limits).map_err(|fault| match fault.problem {
        JsonProblem::Depth(_) => SchemaProblem::TooDeep,
        _ => SchemaProblem::Unusable(fault.to_string()),
    })?;
    let unusable = |reason: String| SchemaProblem::Unusable(cut(reason));
    let mut value: Value = schema.parse().map_err(|error| unusable(error.to_string()))?;
    let mut count = 0_usize;
    each_schema(&mut value, &mut |_| count += 1);
    if count > MOST_SUBSCHEMAS {
        return Err(SchemaProblem::TooMany);
    }
    if let Ok(validator) = options().build(&value) {
        return Ok((value, validator));
    }
    each_schema(&mut value, &mut drop_patterns);
    let validator = options().build(&value);
    let validator = validator.map_err(|error| unusable(error.to_string()))?;
    Ok((value, validator))
}

/// Calls `visit` with every subschema that is an object.
fn each_schema(schema: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    match schema {
        Value::Object(members) => {
            visit(members);
            for (keyword, value) in members {
                match (keyword.as_str(), value) {
                    // Values, not schemas.
                    ("const" | "enum" | "default" | "examples", _) => {}
                    // Schemas by name.
                    (
                        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                        Value::Object(named),
                    ) => named.values_mut().for_each(|schema| each_schema(schema, visit)),
                    (_, value) => each_schema(value, visit),
                }
            }
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(|schema| each_schema(schema, visit)),
        _ => {}
    }
}

/// Takes out of one subschema the patterns that cannot be compiled, and what would refuse too much without them.
fn drop_patterns(schema: &mut Map<String, Value>) {
    let compiles = |pattern: &str| options().build(&json!({"pattern": pattern})).is_ok();
    if schema
        .get("pattern")
        .and_then(Value::as_str)
        .is_some_and(|pattern| !compiles(pattern))
    {
        schema.remove("pattern");
    }
    if let Some(Value::Object(patterns)) = schema.get_mut("patternProperties") {
        let before = patterns.len();
        patterns.retain(|pattern, _| compiles(pattern));
        if patterns.len() < before {
            schema.remove("additionalProperties");
            schema.remove("unevaluatedProperties");
        }
    }
}
