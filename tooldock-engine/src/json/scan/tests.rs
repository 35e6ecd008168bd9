//! The scan against a table and against an independent parser.

use proptest::prelude::*;

use super::*;

fn problem(text: &str) -> Option<JsonProblem> {
    scan(text.as_bytes(), ScanLimits { depth: 4, values: 20 })
        .err()
        .map(|fault| fault.problem)
}

#[test]
fn s49_each_rule_is_told_apart() {
    use JsonProblem::{Depth, Number, Repeated, Surrogate, Syntax, Trailing, Values};
    let long = |digits: usize| format!("[1{}]", "0".repeat(digits - 1));
    let (most, long, minus) = (long(309), long(310), format!("-{}", "9".repeat(309)));
    let wide = format!(
        "{{{}}}",
        (0..15)
            .map(|i| format!("\"k{}\":0", i % 14))
            .collect::<Vec<_>>()
            .join(",")
    );
    let table: &[(&str, Option<JsonProblem>)] = &[
        (
            r#" {"a":[1,-0.5e3,true,false,null,"x\u00e4\ud83d\ude00"]} "#,
            None,
        ),
        ("12345678901234567890123456789012345678901234567890", None),
        ("[[[[]]]]", None),
        ("[[[[[]]]]]", Some(Depth(4))),
        ("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", Some(Values(20))),
        (r#"{"a":1,"a":2}"#, Some(Repeated)),
        (r#"{"a":1,"\u0061":2}"#, Some(Repeated)),
        (&wide, Some(Repeated)),
        (r#"{"a":{"a":1},"b":{"a":1}}"#, None),
        (r#""\ud800""#, Some(Surrogate)),
        (r#""\udc00\ud800""#, Some(Surrogate)),
        (r#""\ud800\u0041""#, Some(Surrogate)),
        ("1e999", Some(Number)),
        ("-1e999", Some(Number)),
        (&most, None),
        (&long, Some(Number)),
        (&minus, Some(Number)),
        ("NaN", Some(Syntax)),
        ("Infinity", Some(Syntax)),
        ("01", Some(Syntax)),
        ("1.", Some(Syntax)),
        (".5", Some(Syntax)),
        ("+1", Some(Syntax)),
        ("\"a\nb\"", Some(Syntax)),
        (r#""\x""#, Some(Syntax)),
        ("[1,]", Some(Syntax)),
        (r#"{"a"}"#, Some(Syntax)),
        (r#"{a:1}"#, Some(Syntax)),
        ("", Some(Syntax)),
        ("1 2", Some(Trailing)),
    ];
    for (text, expected) in table {
        assert_eq!(problem(text), *expected, "{text}");
    }
    assert_eq!(
        scan(b"\"\xff\"", ScanLimits::MESSAGE).unwrap_err(),
        JsonFault {
            problem: JsonProblem::Encoding,
            offset: 1
        }
    );
}

proptest! {
    #[test]
    fn agrees_with_a_lenient_parser(text in r#"[\[\]{}:,"a\\u0-9eE.+ tfn-]{0,40}"#) {
        // What the strict scan takes, an ordinary parser takes as well; never the other way round silently.
        if scan(text.as_bytes(), ScanLimits::MESSAGE).is_ok() {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
        } else if serde_json::from_str::<serde_json::Value>(&text).is_ok() {
            let problem = scan(text.as_bytes(), ScanLimits::MESSAGE).unwrap_err().problem;
            prop_assert!(problem.is_json() || problem == JsonProblem::Surrogate, "{text}: {problem}");
        }
    }

    #[test]
    fn takes_whatever_a_serializer_writes(value in json_value()) {
        let text = serde_json::to_vec(&value).unwrap();
        prop_assert_eq!(scan(&text, ScanLimits::MESSAGE), Ok(()));
    }
}

fn json_value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..8)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}
