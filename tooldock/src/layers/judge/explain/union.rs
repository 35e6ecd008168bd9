//! Finding what is wrong with a value that fits no branch of a union, or too many.

use serde_json::Value;

use super::{MOST_HOPS, Walk};
use crate::layers::judge::problem::{Problem, types};

impl<'a> Walk<'a> {
    /// Collects the problems of `value` with the union `keyword` (`anyOf`, `oneOf`) of `branches`.
    pub(super) fn union(&mut self, keyword: &str, branches: &[String], value: &Value, hops: usize) {
        let fitting = branches
            .iter()
            .filter(|branch| !self.refuses(branch, value))
            .count();
        if fitting > 1 && keyword == "oneOf" {
            let rule = "must fit one of its forms, and fits several".to_owned();
            return self
                .problems
                .push(Problem::new(&self.place, keyword, rule, value));
        }
        if fitting > 0 {
            return;
        }
        let forms = || branches.iter().map(|branch| self.target(branch));
        let kinds: Vec<Vec<String>> = forms().map(|form| types(&form["type"])).collect();
        let alike: Vec<usize> = forms()
            .zip(&kinds)
            .enumerate()
            .filter(|(_, (form, kinds))| is_of(value, kinds) && is_marked(form, value))
            .map(|(index, _)| index)
            .collect();
        if let [index] = alike.as_slice() {
            return self.visit(&branches[*index], value, hops + 1);
        }
        let problem = if kinds.iter().any(|kinds| is_of(value, kinds)) {
            let rule = format!("must fit one of its {} forms, and fits none", branches.len());
            Problem::new(&self.place, keyword, rule, value)
        } else {
            let mut wanted: Vec<String> = Vec::new();
            for kind in kinds.into_iter().flatten() {
                if !wanted.contains(&kind) {
                    wanted.push(kind);
                }
            }
            Problem::of_type(&self.place, keyword, wanted, value)
        };
        self.problems.push(problem);
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
