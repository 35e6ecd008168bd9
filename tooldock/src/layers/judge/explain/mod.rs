//! Finding what is wrong with a value.
//!
//! The validator says quickly *whether* a value fits. Asking it *why* takes time that grows with a power of the nesting, because
//! it looks into every branch of every union. This walk goes only where a subschema refuses the value and follows a union
//! into a single branch, so its work is bounded by the size of the value.

mod union;

use jsonschema::{Draft, ValidatorMap};
use serde_json::{Map, Value};

use super::{
    problem::{Problem, Step},
    schema,
};

/// References and combinations that are followed for one and the same value.
const MOST_HOPS: usize = 32;

/// Keywords that look at a value without a subschema.
const LEAVES: &[&str] = &[
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
];

/// Up to `most` problems that `schema` has with `value`; at least one.
pub(super) fn explain(
    schema: &Value,
    draft: Draft,
    parts: Option<&ValidatorMap>,
    value: &Value,
    most: usize,
) -> Vec<Problem> {
    let mut walk = Walk {
        root: schema,
        draft,
        parts,
        most,
        place: Vec::new(),
        problems: Vec::new(),
    };
    walk.visit("#", value, 0);
    if walk.problems.is_empty() {
        walk.vague(value, "the schema");
    }
    walk.problems.truncate(most);
    walk.problems
}

struct Walk<'a> {
    root: &'a Value,
    draft: Draft,
    /// Every subschema by its pointer.
    parts: Option<&'a ValidatorMap>,
    most: usize,
    place: Vec<Step>,
    problems: Vec<Problem>,
}

impl<'a> Walk<'a> {
    /// Collects the problems that the subschema at `pointer` has with `value`.
    fn visit(&mut self, pointer: &str, value: &Value, hops: usize) {
        if !self.refuses(pointer, value) || hops > MOST_HOPS || self.problems.len() >= self.most {
            return;
        }
        let before = self.problems.len();
        let schema = match self.root.pointer(&pointer[1..]) {
            Some(Value::Object(schema)) => schema,
            Some(Value::Bool(false)) => {
                let problem = Problem::new(&self.place, "false", "must not be given".to_owned(), value);
                return self.problems.push(problem);
            }
            _ => return,
        };
        self.leaves(schema, value);
        self.applied(schema, pointer, value, hops);
        match value {
            Value::Object(members) => self.members(schema, pointer, members),
            Value::Array(items) => self.items(schema, pointer, items),
            _ => {}
        }
        if self.problems.len() == before {
            self.vague(value, pointer);
        }
    }

    /// Whether the subschema at `pointer` refuses `value`. One that cannot be asked does not: what is around it does then.
    fn refuses(&self, pointer: &str, value: &Value) -> bool {
        let part = |parts: &ValidatorMap| parts.get(pointer).is_some_and(|part| !part.is_valid(value));
        self.parts.map_or(pointer == "#", part)
    }

    fn vague(&mut self, value: &Value, pointer: &str) {
        let rule = format!("does not fit its schema (`{pointer}`)");
        self.problems
            .push(Problem::new(&self.place, "schema", rule, value));
    }

    /// What the schema says about the value itself.
    fn leaves(&mut self, schema: &Map<String, Value>, value: &Value) {
        let mut leaves: Map<String, Value> = LEAVES
            .iter()
            .filter_map(|keyword| Some(((*keyword).to_owned(), schema.get(*keyword)?.clone())))
            .collect();
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            leaves.insert("additionalProperties".to_owned(), false.into());
            for keyword in ["properties", "patternProperties"] {
                let named = schema
                    .get(keyword)
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten();
                let named = named.map(|(name, _)| (name.clone(), Value::Bool(true)));
                leaves.insert(keyword.to_owned(), Value::Object(named.collect()));
            }
        }
        let leaves = Value::Object(leaves);
        if let Ok(validator) = schema::options().with_draft(self.draft).build(&leaves) {
            let room = self.most.saturating_sub(self.problems.len());
            let errors = validator.iter_errors(value).take(room);
            let problems = errors.flat_map(|error| Problem::from_error(&self.place, &error, &leaves));
            self.problems.extend(problems.collect::<Vec<_>>());
        }
    }

    /// What other schemas, applied to the same value, say.
    fn applied(&mut self, schema: &Map<String, Value>, pointer: &str, value: &Value, hops: usize) {
        if let Some(target) = schema
            .get("$ref")
            .and_then(Value::as_str)
            .filter(|target| target.starts_with('#'))
        {
            self.visit(target, value, hops + 1);
        }
        let count = |keyword: &str| schema.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
        for index in 0..count("allOf") {
            self.visit(&format!("{pointer}/allOf/{index}"), value, hops + 1);
        }
        for keyword in ["anyOf", "oneOf"] {
            let branches: Vec<String> = (0..count(keyword))
                .map(|index| format!("{pointer}/{keyword}/{index}"))
                .collect();
            if !branches.is_empty() {
                self.union(keyword, &branches, value, hops);
            }
        }
    }

    fn members(&mut self, schema: &Map<String, Value>, pointer: &str, members: &Map<String, Value>) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let others = schema.get("additionalProperties").is_some_and(Value::is_object)
            && !schema.contains_key("patternProperties");
        for (name, value) in members {
            let inner = if properties.is_some_and(|properties| properties.contains_key(name)) {
                format!(
                    "{pointer}/properties/{}",
                    name.replace('~', "~0").replace('/', "~1")
                )
            } else if others {
                format!("{pointer}/additionalProperties")
            } else {
                continue;
            };
            self.inside(Step::Name(name.clone()), &inner, value);
        }
    }

    fn items(&mut self, schema: &Map<String, Value>, pointer: &str, items: &[Value]) {
        let first = schema
            .get("prefixItems")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        let rest = schema.get("items").is_some_and(Value::is_object);
        for (index, value) in items.iter().enumerate() {
            if index < first {
                self.inside(
                    Step::Index(index),
                    &format!("{pointer}/prefixItems/{index}"),
                    value,
                );
            } else if rest {
                self.inside(Step::Index(index), &format!("{pointer}/items"), value);
            }
        }
    }

    fn inside(&mut self, step: Step, pointer: &str, value: &Value) {
        self.place.push(step);
        self.visit(pointer, value, 0);
        self.place.pop();
    }
}
