//! A secret of one namespace: prepared by a model, set by a person, used by a tool, and removed.

use std::fs;

use serde_json::json;

use super::{refusal, step, take, text};
use crate::clients::Client;
use crate::pair::Pair;

const VALUE: &str = "canary-'9e02'-of a person";
const CODE: &str = "import os\nfrom tooldock import tool\n\n@tool\ndef size() -> int:\n    \"\"\"Count.\"\"\"\n    return len(os.environ[\"API_KEY\"])\n";

fn flow(client: Client) {
    let pair = Pair::start();
    let demo = json!({"namespace": "demo"});
    let own = json!({"key": "API_KEY", "namespace": "demo"});
    let code =
        json!({"namespace": "demo", "filename": "size.py", "code": CODE, "secrets": ["API_KEY", "API_KEY"]});
    let entry = |status: &str| json!([{"key": "API_KEY", "scope": "demo", "status": status}]);
    let seen = take(
        client,
        &pair,
        &[
            step("create_namespace", json!({"name": "demo"}), &[]),
            step("write_tool", code, &[("/written", json!(true))]),
            step(
                "check_secrets",
                demo.clone(),
                &[("/missing", json!(["API_KEY"])), ("/satisfied", json!([]))],
            ),
            step(
                "list_namespaces",
                json!({}),
                &[("/result/0/secrets_status", json!("missing"))],
            ),
            step(
                "prepare_secret",
                own.clone(),
                &[
                    ("/scope", json!("demo")),
                    ("/meta_file", json!(pair.data().join("secrets.meta.yaml"))),
                ],
            ),
            step("list_secrets", json!({}), &[("/result", entry("placeholder"))]),
            step(
                "list_namespaces",
                json!({}),
                &[("/result/0/secrets_status", json!("placeholders"))],
            ),
            refusal(
                "prepare_secret",
                json!({"key": "LD_PRELOAD"}),
                "`LD_PRELOAD` steers programs outside this namespace and cannot be set here; choose another name",
            ),
        ],
    );
    let meta = fs::read_to_string(pair.data().join("secrets.meta.yaml")).unwrap();
    assert!(meta.contains("API_KEY") && !meta.contains("LD_PRELOAD"), "{meta}");
    let run = text(&seen[4], "/instructions")
        .rsplit_once(": ")
        .unwrap()
        .1
        .trim_end_matches(')');
    assert_eq!(run, "tooldock-manager secrets set API_KEY --scope demo");
    pair.person(run, VALUE);
    let test = json!({"namespace": "demo", "tool_name": "size", "input": {}});
    take(
        client,
        &pair,
        &[
            step("reload_core", json!({}), &[("/reloaded", json!(true))]),
            step(
                "check_secrets",
                demo.clone(),
                &[("/satisfied", json!(["API_KEY"])), ("/placeholders", json!([]))],
            ),
            step("list_secrets", demo.clone(), &[("/result", entry("set"))]),
            step("test_tool", test, &[("/result/result", json!(VALUE.len()))]),
            // A value that is set stays.
            step("prepare_secret", own.clone(), &[]),
            step("list_secrets", demo.clone(), &[("/result", entry("set"))]),
            step("remove_secret", own.clone(), &[("/removed", json!(true))]),
            step("check_secrets", demo, &[("/missing", json!(["API_KEY"]))]),
            refusal(
                "remove_secret",
                own,
                "there is no secret `API_KEY` in the scope `demo`; `secrets list` shows what there is",
            ),
        ],
    );
    let meta = fs::read_to_string(pair.data().join("secrets.meta.yaml")).unwrap();
    assert!(!meta.contains("API_KEY"), "{meta}");
}

#[test]
fn the_python_client_prepares_a_secret_that_a_person_sets() {
    flow(Client::Python);
}

#[test]
fn the_typescript_client_prepares_a_secret_that_a_person_sets() {
    flow(Client::TypeScript);
}
