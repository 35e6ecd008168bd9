//! Documents of OpenAPI, of which a project makes tools while it runs: one of each operation.

use std::time::Instant;

use serde_json::{Map, Value};

use super::{
    Files,
    report::{Parameter, ToolFound},
};

/// Where a document says what it is, at the latest.
const HEAD: usize = 2_000;
/// Files that are looked at, at most.
const DOCUMENTS: usize = 200;
/// Methods of operations.
const METHODS: &[&str] = &["get", "put", "post", "delete", "patch", "head", "options"];

/// Whether source code works with such a document.
pub(super) fn is_spoken_of(text: &str) -> bool {
    ["openapi", "OpenAPI", "OpenApi"]
        .iter()
        .any(|word| text.contains(word))
}

/// The document nearest to the root, with its operations.
pub(super) fn find<'a>(
    files: &impl Files,
    paths: &[&'a str],
    end: Instant,
) -> Option<(&'a str, Vec<ToolFound>)> {
    let ends = |path: &&str| [".json", ".yaml", ".yml"].iter().any(|end| path.ends_with(end));
    let mut near: Vec<&str> = paths.iter().copied().filter(ends).collect();
    near.sort_by_key(|path| path.matches('/').count());
    near.into_iter().take(DOCUMENTS).find_map(|path| {
        let text = files.read(path).filter(|_| Instant::now() < end)?;
        Some((path, operations(path, &text)?))
    })
}

/// The operations of a file, if it is such a document.
fn operations(path: &str, text: &str) -> Option<Vec<ToolFound>> {
    let head: String = text.chars().take(HEAD).collect();
    if !["\"openapi\"", "openapi:", "\"swagger\"", "swagger:"]
        .iter()
        .any(|word| head.contains(word))
    {
        return None;
    }
    let document: Value = match path.ends_with(".json") {
        true => serde_json::from_str(text).ok()?,
        false => serde_saphyr::from_str(text).ok()?,
    };
    let all = document["paths"].as_object()?.iter();
    let all = all.flat_map(|(route, item)| METHODS.iter().map(move |method| (route, item, *method)));
    let tool = |(route, item, method): (&String, &Value, &str)| {
        let operation = item.get(method)?;
        let named = operation["operationId"].as_str().map(str::to_owned);
        let name = named.unwrap_or_else(|| format!("{method}{}", route.replace(['/', '{', '}'], "_")));
        let at = text.find(route.as_str()).unwrap_or_default();
        let described = operation["description"]
            .as_str()
            .or(operation["summary"].as_str());
        Some(ToolFound {
            name,
            file: path.to_owned(),
            line: text[..at].matches('\n').count() + 1,
            description: described.map(str::to_owned),
            parameters: Some(parameters(&document, item, operation)),
        })
    };
    Some(all.filter_map(tool).collect())
}

/// What an operation takes: its parameters, those of its path, and the members of its body.
fn parameters(document: &Value, item: &Value, operation: &Value) -> Vec<Parameter> {
    let lists = [&item["parameters"], &operation["parameters"]];
    let listed = lists.into_iter().filter_map(Value::as_array).flatten();
    let listed = listed.filter_map(|one| {
        let one = followed(document, one);
        Some(Parameter {
            name: one["name"].as_str()?.to_owned(),
            required: one["required"] == true,
            schema: followed(document, &one["schema"]).clone(),
        })
    });
    let body = followed(document, &operation["requestBody"]);
    let schema = followed(document, &body["content"]["application/json"]["schema"]);
    let none = Map::new();
    let members = schema["properties"].as_object().unwrap_or(&none).iter();
    let members = members.map(|(name, member)| Parameter {
        name: name.clone(),
        required: schema["required"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one == name)),
        schema: member.clone(),
    });
    let mut all: Vec<Parameter> = Vec::new();
    for one in listed.chain(members) {
        all.retain(|known| known.name != one.name);
        all.push(one);
    }
    all
}

/// What stands behind a reference within the document.
fn followed<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let reference = value["$ref"].as_str().and_then(|place| place.strip_prefix('#'));
    reference
        .and_then(|place| document.pointer(place))
        .unwrap_or(value)
}
