//! The file of secrets, and what is sealed in it: the input is either.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::Value;
use tooldock_engine::{RawJson, json::ScanLimits};
use tooldock_secrets::{
    Scope, SecretName, SecretValue,
    testing::{open, values},
};

/// A file is opened as an ordinary parser understands it, and so is what is in it; a refusal shows no control character of it.
pub fn check(input: &[u8], planted: bool) {
    match open(None, input) {
        Ok(payload) => {
            let file: Value = serde_json::from_slice(input).expect("a file is JSON");
            assert_eq!(
                (&file["version"], &file["cipher"]),
                (&Value::from(2), &Value::from("none"))
            );
            let text = file["ciphertext"]
                .as_str()
                .and_then(|text| STANDARD.decode(text).ok());
            assert_eq!(text.as_deref(), Some(payload.as_bytes()));
            judge(payload.as_bytes(), planted);
        }
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error:?}"),
    }
    judge(input, planted);
}

/// Whose value it is, and the value.
type Row = ((String, String), String);

/// Compares the values of a payload with those that an ordinary parser reads.
fn judge(payload: &[u8], planted: bool) {
    let judged = serde_json::from_slice::<Judged>(payload).ok();
    match values(payload) {
        Ok(values) => {
            let rows = values.into_iter().map(|(scope, name, value)| -> Row {
                (
                    (scope.to_string(), name.to_string()),
                    shown(payload, value.expose(), planted),
                )
            });
            assert_eq!(
                judged.map(Judged::rows),
                Some(rows.collect()),
                "another parser reads other values"
            );
        }
        Err(error) => {
            let once = RawJson::scan(payload.to_vec(), ScanLimits::MESSAGE).is_ok();
            let sound = judged.is_some_and(|judged| judged.keeps_the_rules());
            assert!(!(once && sound), "{error}: nothing is wrong with it");
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    global: BTreeMap<String, String>,
    namespaces: BTreeMap<String, BTreeMap<String, String>>,
}

impl Judged {
    fn keeps_the_rules(&self) -> bool {
        let scope = |name: &String| matches!(name.parse(), Ok(Scope::Namespace(_)));
        let value = |(name, value): (&String, &String)| {
            name.parse::<SecretName>().is_ok() && SecretValue::new(value.clone()).is_ok()
        };
        self.namespaces.keys().all(scope) && self.namespaces.values().flatten().chain(&self.global).all(value)
    }

    fn rows(self) -> BTreeMap<(String, String), String> {
        let global = std::iter::once(("global".to_owned(), self.global));
        let sections = global.chain(self.namespaces);
        let rows = sections.flat_map(|(scope, values)| {
            values
                .into_iter()
                .map(move |(name, value)| ((scope.clone(), name), value))
        });
        rows.collect()
    }
}

/// The bug: the escape of a slash stays as it is.
fn shown(payload: &[u8], value: &str, planted: bool) -> String {
    if planted && payload.windows(2).any(|pair| pair == b"\\/") {
        return value.replace('/', "\\/");
    }
    value.to_owned()
}
