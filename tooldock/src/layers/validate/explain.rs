//! Finding what is wrong with arguments.
//!
//! The validator says quickly *whether* a value fits. Asking it *why* takes time that grows with a power of the nesting, because
//! it looks into every branch of every union. This walk goes only where a subschema refuses the value and follows a union
//! into a single branch, so its work is bounded by the size of the arguments.

use jsonschema::{Draft, ValidatorMap};
use serde_json::{Map, Value};

use super::{
    problem::{Problem, Step, types},
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
        let fits = self
            .parts
            .and_then(|parts| parts.get(pointer))
            .is_some_and(|part| part.is_valid(value));
        if fits || hops > MOST_HOPS || self.problems.len() >= self.most {
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

    /// A union whose branches all refuse the value, or, for `oneOf`, too few of them do.
    fn union(&mut self, keyword: &str, branches: &[String], value: &Value, hops: usize) {
        let fit = |branch: &&String| {
            self.parts
                .and_then(|parts| parts.get(branch))
                .is_some_and(|part| part.is_valid(value))
        };
        match (keyword, branches.iter().filter(fit).count()) {
            (_, 0) => {}
            ("oneOf", 2..) => {
                let rule = "must fit one of its forms, and fits several".to_owned();
                return self
                    .problems
                    .push(Problem::new(&self.place, keyword, rule, value));
            }
            _ => return,
        }
        let kinds: Vec<Vec<String>> = branches
            .iter()
            .map(|branch| types(&self.target(branch)["type"]))
            .collect();
        let alike: Vec<&String> = branches
            .iter()
            .zip(&kinds)
            .filter(|(branch, kinds)| is_of(value, kinds) && is_marked(self.target(branch), value))
            .map(|(branch, _)| branch)
            .collect();
        match alike.as_slice() {
            [branch] => self.visit(branch, value, hops + 1),
            [] if kinds
                .iter()
                .all(|kinds| !kinds.is_empty() && !is_of(value, kinds)) =>
            {
                let mut wanted = Vec::new();
                for kind in kinds.into_iter().flatten() {
                    if !wanted.contains(&kind) {
                        wanted.push(kind);
                    }
                }
                self.problems
                    .push(Problem::of_type(&self.place, keyword, wanted, value));
            }
            _ => {
                let rule = format!("must fit one of its {} forms, and fits none", branches.len());
                self.problems
                    .push(Problem::new(&self.place, keyword, rule, value));
            }
        }
    }

    /// The subschema at `pointer`, behind its references.
    fn target(&self, pointer: &str) -> &'a Value {
        let mut schema = self.root.pointer(&pointer[1..]).unwrap_or(&Value::Null);
        for _ in 0..MOST_HOPS {
            let target = schema
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|target| target.strip_prefix('#'));
            match target.and_then(|target| self.root.pointer(target)) {
                Some(next) => schema = next,
                None => break,
            }
        }
        schema
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

/// Whether `value` is of one of the types `kinds`; no types are all types.
fn is_of(value: &Value, kinds: &[String]) -> bool {
    let is = |kind: &String| match kind.as_str() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    kinds.is_empty() || kinds.iter().any(is)
}

/// Whether the members by which `schema` tells its form (a `const`, an `enum`) are in `value` what it says.
fn is_marked(schema: &Value, value: &Value) -> bool {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.into_iter().all(
        |(name, mark)| match (value.get(name), mark.get("const"), mark.get("enum")) {
            (Some(found), Some(constant), _) => found == constant,
            (Some(found), _, Some(Value::Array(options))) => options.contains(found),
            _ => true,
        },
    )
}
