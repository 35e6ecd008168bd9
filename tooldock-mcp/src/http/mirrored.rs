//! Arguments that a tool wants mirrored in headers: `x-mcp-header` in its schema, `Mcp-Param-…` in the request.

use std::collections::HashMap;

use http::{HeaderMap, HeaderValue};
use serde_json::Value;
use tooldock_engine::{Catalog, RawJson, ToolName};

use crate::{
    era::Single,
    mark::{Mark, PREFIX},
    refusal::{Refusal, code},
};

/// The marks of every tool of a catalog that has some; found once for each catalog.
#[derive(Debug, Default)]
struct Marks(HashMap<ToolName, Vec<Mark>>);

#[derive(PartialEq, Eq, Hash)]
struct MarksOfCatalog;

/// The headers that mirror arguments, in memory of their own: the others need not stay while a call runs.
pub(crate) fn keep(headers: &HeaderMap) -> HeaderMap {
    let mirrored = headers
        .iter()
        .filter(|(name, _)| name.as_str().starts_with(PREFIX));
    let own = |value: &HeaderValue| HeaderValue::from_bytes(value.as_bytes());
    mirrored
        .map(|(name, value)| (name.clone(), own(value).expect("it is a header value already")))
        .collect()
}

/// Checks that the headers say about the arguments of `tool` what the body says.
///
/// # Errors
/// -32020 for the first argument that is not mirrored as its tool wants it.
pub(crate) fn check(
    catalog: &Catalog,
    tool: &ToolName,
    arguments: &RawJson,
    headers: &HeaderMap,
) -> Result<(), Refusal> {
    let marks = catalog.derived(MarksOfCatalog, || Marks::of(catalog));
    let Some(marks) = marks.0.get(tool) else {
        return Ok(());
    };
    let arguments: Value = arguments.parse().map_err(|_| {
        let text = "the arguments are nested too deep to be compared with their headers; send them flatter";
        Refusal::bad(code::HEADER_MISMATCH, text)
    })?;
    let wrong = marks.iter().find(|mark| !is_kept(mark, &arguments, headers));
    wrong.map_or(Ok(()), |mark| {
        let text = format!(
            "the header `{}` must occur once and equal the argument `{}`",
            mark.header,
            mark.path.join(".")
        );
        Err(Refusal::bad(code::HEADER_MISMATCH, text))
    })
}

impl Marks {
    fn of(catalog: &Catalog) -> Self {
        let marked = catalog
            .tools()
            .iter()
            .filter(|tool| tool.input_schema.as_str().contains("x-mcp-header"));
        let marks = marked.map(|tool| {
            let schema = tool.input_schema.parse().unwrap_or_default();
            (tool.name.clone(), Mark::all(&schema))
        });
        Self(marks.collect())
    }
}

/// Whether the header of `mark` says what the argument says.
fn is_kept(mark: &Mark, arguments: &Value, headers: &HeaderMap) -> bool {
    let header = Single::read(headers, &mark.header);
    let text = header.decoded();
    match (mark.value(arguments), text) {
        (None, _) => header == Single::Absent,
        (Some(Value::String(value)), Some(text)) => *value == *text,
        (Some(Value::Bool(value)), Some(text)) => text.parse() == Ok(*value),
        (Some(Value::Number(value)), Some(text)) => text.parse() == Ok(value.as_f64().unwrap_or(f64::NAN)),
        (Some(_), _) => false,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderName;
    use serde_json::json;
    use tooldock_engine::{Tool, json::ScanLimits};

    use super::*;

    fn catalog() -> Catalog {
        let mut tool = Tool::new("t".parse().unwrap());
        tool.input_schema = RawJson::from(json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "place": {"type": "object", "properties": {"floor": {"type": "integer", "x-mcp-header": "Floor"}}},
            "list": {"type": "array", "items": {"properties": {"x": {"x-mcp-header": "X"}}}},
        }}));
        Catalog::builder().tool(tool).build().unwrap()
    }

    #[test]
    fn headers_that_mirror_arguments_stay_each_as_often_as_it_was_sent() {
        let mut headers = HeaderMap::new();
        for (name, value) in [("authorization", "x"), ("mcp-param-a", "1"), ("mcp-param-a", "2")] {
            headers.append(name, HeaderValue::from_static(value));
        }
        let kept = keep(&headers);
        let kept: Vec<_> = kept
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_bytes()))
            .collect();
        assert_eq!(kept, [("mcp-param-a", &b"1"[..]), ("mcp-param-a", b"2")]);
    }

    #[test]
    fn s40_arguments_are_mirrored_as_the_schema_says() {
        type Row<'a> = (Value, &'a [(&'a str, &'a str)], bool);
        let table: [Row<'_>; 10] = [
            (json!({}), &[], true),
            (json!({"region": null}), &[], true),
            (json!({"region": "eu"}), &[("mcp-param-region", "eu")], true),
            (
                json!({"region": "größe"}),
                &[("mcp-param-region", "=?base64?Z3LDtsOfZQ==?=")],
                true,
            ),
            (json!({"region": "eu"}), &[], false),
            (json!({}), &[("mcp-param-region", "eu")], false),
            (json!({"region": "eu"}), &[("mcp-param-region", "us")], false),
            (
                json!({"region": "eu"}),
                &[("mcp-param-region", "eu"), ("mcp-param-region", "eu")],
                false,
            ),
            (
                json!({"place": {"floor": 42}}),
                &[("mcp-param-floor", "42.0"), ("mcp-param-x", "?")],
                true,
            ),
            (
                json!({"place": {"floor": 42}}),
                &[("mcp-param-floor", "43")],
                false,
            ),
        ];
        for (arguments, headers, kept) in table {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.append(HeaderName::from_static(name), value.parse().unwrap());
            }
            let checked = check(
                &catalog(),
                &"t".parse().unwrap(),
                &RawJson::from(&arguments),
                &map,
            );
            assert_eq!(checked.is_ok(), kept, "{arguments} {headers:?}");
            assert!(
                checked
                    .err()
                    .is_none_or(|refusal| (refusal.status(), refusal.code()) == (400, -32_020))
            );
        }
    }

    #[test]
    fn s40_arguments_that_cannot_be_read_are_not_taken_for_none() {
        let deep = format!(
            r#"{{"region": "eu", "x": {}{}}}"#,
            "[".repeat(200),
            "]".repeat(200)
        );
        let limits = ScanLimits {
            depth: 300,
            ..ScanLimits::MESSAGE
        };
        let arguments = RawJson::scan(deep, limits).unwrap();
        let checked = check(&catalog(), &"t".parse().unwrap(), &arguments, &HeaderMap::new());
        assert_eq!(checked.unwrap_err().code(), -32_020);
    }
}
