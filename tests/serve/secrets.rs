//! The way of a secret: from the store to the tool, and nowhere else.

use serde_json::json;
use tooldock_secrets::{Scope, SecretValue, Store};
use tooldock_tests::{Gateway, Tools};

const TOOLS: &str = "\
import os, sys
from tooldock import tool

@tool
def hashed() -> str:
    import hashlib
    return hashlib.sha256(os.environ['API_TOKEN'].encode()).hexdigest()

@tool
def told() -> dict:
    print('printed', os.environ['API_TOKEN'])
    print('complained', os.environ['API_TOKEN'], file=sys.stderr)
    return {'plain': os.environ['API_TOKEN'], 'deep': [{os.environ['API_TOKEN']: 1}]}

@tool
def raised() -> str:
    raise ValueError('it was ' + os.environ['API_TOKEN'])

@tool
def waits() -> str:
    return os.environ['WAITS']
";
/// Quotes, a dollar sign and a line break: it arrives byte for byte.
const VALUE: &str = "canary \"71c0\" $HOME\nsecond line";
/// SHA-256 of [`VALUE`].
const HASH: &str = "d4214a21f3ee4bdaa906ae3aee680e72d3e331952f0618ca4ff7743ea372450d";

fn set(store: &Store, scope: Scope, value: &str) {
    let (name, value) = (
        "API_TOKEN".parse().unwrap(),
        SecretValue::new(value.to_owned()).unwrap(),
    );
    store
        .change(|contents| {
            contents.set(scope, name, value);
            Ok(())
        })
        .unwrap();
}

#[test]
fn f52_f53_s99_s102_a_secret_reaches_its_tool_and_nothing_else() {
    let tools = Tools::new();
    for namespace in ["holder", "neighbour"] {
        tools.write(namespace, "tools.py", TOOLS);
    }
    tools.write("holder", "tooldock.yaml", "secrets: [API_TOKEN, WAITS]\n");
    let gateway = Gateway::start(tools.path());
    let http = gateway.http();
    let call = |tool: &str| http.post(&format!("/holder/tools/{tool}"), &json!({}), &[]);
    let missing = call("hashed");
    assert!(
        missing.error().contains("the secret `API_TOKEN` is not set"),
        "{missing:?}"
    );

    let store = gateway.secrets();
    set(&store, "holder".parse().unwrap(), VALUE);
    store.prepare(Scope::Global, "WAITS".parse().unwrap()).unwrap();
    let before = gateway.worker("neighbour");
    assert_eq!(gateway.reload()["ok"], true);
    assert_eq!(call("hashed").body, json!(HASH));
    assert_eq!(
        gateway.worker("neighbour"),
        before,
        "only what changed is exchanged"
    );
    let waiting = call("waits");
    assert!(
        waiting
            .error()
            .contains("`WAITS` is a placeholder without a value"),
        "{waiting:?}"
    );
    let list = http.get("/namespaces").body;
    assert_eq!(
        list["namespaces"][0]["missing_secrets"],
        json!(["WAITS"]),
        "{list}"
    );
    assert_eq!(
        list["namespaces"][0]["placeholder_secrets"],
        json!(["WAITS"]),
        "{list}"
    );

    for tool in ["told", "raised"] {
        let answer = call(tool);
        let text = format!("{answer:?}");
        assert!(
            text.contains("[redacted:API_TOKEN]") && !text.contains("71c0"),
            "{text}"
        );
    }
    let log = gateway.log();
    assert!(log.contains("printed [redacted:API_TOKEN]"), "{log}");
    assert!(
        !log.contains("71c0") && !list.to_string().contains("71c0"),
        "{log}"
    );
}
