//! States of secrets, never their values.

use std::fs;

use serde_json::json;

use crate::pair::Pair;
use crate::programs::SECRET as VALUE;

fn declare(pair: &Pair) {
    pair.done("create_namespace", json!({"name": "demo"}));
    fs::write(pair.tools().join("demo/tooldock.yaml"), "secrets: [A_TOKEN]\n").unwrap();
    let code = "import os\nfrom tooldock import tool\n\n@tool\ndef leak() -> str:\n    \"\"\"Leak it.\"\"\"\n    print(os.environ['A_TOKEN'])\n    return os.environ['A_TOKEN']\n\n@tool\ndef fail() -> str:\n    \"\"\"Fail with it.\"\"\"\n    raise ValueError(os.environ['A_TOKEN'])\n";
    pair.done(
        "write_tool",
        json!({"namespace": "demo", "filename": "a.py", "code": code}),
    );
}

#[test]
fn a_secret_is_prepared_set_by_a_person_and_satisfied() {
    let pair = Pair::start();
    declare(&pair);
    let check = || pair.done("check_secrets", json!({"namespace": "demo"}));
    assert_eq!(check()["missing"], json!(["A_TOKEN"]));
    assert_eq!(
        pair.done("list_namespaces", json!({}))["result"][0]["secrets_status"],
        "missing"
    );
    let told = pair.done("prepare_secret", json!({"key": "A_TOKEN"}));
    assert_eq!(told["scope"], "global");
    let run = told["instructions"].as_str().unwrap();
    assert!(
        run.contains("tooldock-manager secrets set A_TOKEN --scope global"),
        "{run}"
    );
    assert_eq!(check()["placeholders"], json!(["A_TOKEN"]));
    let listed = pair.done("list_secrets", json!({}));
    assert_eq!(
        listed["result"],
        json!([{"key": "A_TOKEN", "scope": "global", "status": "placeholder"}])
    );
    pair.set_secret("A_TOKEN", VALUE);
    assert_eq!(check()["satisfied"], json!(["A_TOKEN"]));
    pair.done("reload_core", json!({}));
    assert_eq!(
        pair.done(
            "test_tool",
            json!({"namespace": "demo", "tool_name": "leak", "input": {}})
        )["success"],
        true
    );
    pair.done("remove_secret", json!({"key": "A_TOKEN"}));
    assert_eq!(check()["missing"], json!(["A_TOKEN"]));
    let told = pair.refused("remove_secret", json!({"key": "A_TOKEN"}));
    assert!(
        told.contains("there is no secret `A_TOKEN` in the scope `global`"),
        "{told}"
    );
    let own = pair.done("prepare_secret", json!({"key": "B_TOKEN", "namespace": "demo"}));
    assert_eq!(own["scope"], "demo");
    for name in ["LD_PRELOAD", "PATH", "PYTHONPATH", "TOOLDOCK_X", "SECRETS_KEY"] {
        let told = pair.refused("prepare_secret", json!({"key": name}));
        assert!(told.contains(name), "{told}");
    }
}

#[test]
fn s75_no_tool_gives_a_value() {
    let pair = Pair::start();
    declare(&pair);
    pair.set_secret("A_TOKEN", VALUE);
    pair.done("reload_core", json!({}));
    // A person, or a tool, may have put it into a file.
    let file = format!(
        "# {VALUE}\n{}",
        fs::read_to_string(pair.tools().join("demo/a.py")).unwrap()
    );
    fs::write(pair.tools().join("demo/b.py"), file).unwrap();
    let demo = json!({"namespace": "demo"});
    let calls = [
        (
            "test_tool",
            json!({"namespace": "demo", "tool_name": "leak", "input": {}}),
        ),
        (
            "test_tool",
            json!({"namespace": "demo", "tool_name": "fail", "input": {}}),
        ),
        ("get_logs", demo.clone()),
        (
            "get_tool_source",
            json!({"namespace": "demo", "filename": "b.py"}),
        ),
        ("list_secrets", json!({})),
        ("check_secrets", demo.clone()),
        ("prepare_secret", json!({"key": "A_TOKEN"})),
        ("list_tools", demo.clone()),
        ("list_namespaces", json!({})),
        ("server_config", json!({})),
        ("health", json!({})),
        ("doctor", demo),
        ("remove_secret", json!({"key": VALUE})),
        ("create_namespace", json!({"name": VALUE})),
    ];
    for (tool, arguments) in calls {
        let answered = pair.call(tool, arguments);
        let shown = format!("{}{}", answered.text, answered.value);
        assert!(!shown.contains("41d7"), "{tool}: {shown}");
    }
    let source = pair.done(
        "get_tool_source",
        json!({"namespace": "demo", "filename": "b.py"}),
    );
    assert!(
        source["source"]
            .as_str()
            .unwrap()
            .starts_with("# [redacted:A_TOKEN]"),
        "{source}"
    );
    let config = pair.done("server_config", json!({})).to_string();
    assert!(
        config.contains("CORE_URL") && !config.contains("of-the-tests"),
        "{config}"
    );
}

/// What is looked for when a pair ends: here in a file.
#[test]
#[should_panic(expected = "leak` holds a secret")]
fn f53_a_file_with_a_secret_is_noticed() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    fs::write(pair.data().join("leak"), VALUE).unwrap();
}

/// The same where two pieces of a long file meet, which are read one after the other.
#[test]
#[should_panic(expected = "leak` holds a secret")]
fn f53_a_secret_in_a_long_file_is_noticed() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    let before = "x".repeat((8 << 20) - VALUE.len() / 2);
    fs::write(pair.data().join("leak"), before + VALUE).unwrap();
}

/// The same in an answer, in another spelling.
#[test]
#[should_panic(expected = "holds a secret")]
fn f53_an_answer_with_a_secret_is_noticed() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    pair.hear(&json!({"answer": VALUE}).to_string());
}

/// What a person pastes into a shell is a list of plain words, whatever a model or a file had put there.
#[test]
fn s74_commands_for_a_person_hold_nothing_that_a_shell_acts_on() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    declare(&pair);
    let told = pair.done("prepare_secret", json!({"key": "A_TOKEN", "namespace": "demo"}));
    let command = "tooldock-manager secrets set A_TOKEN --scope demo";
    assert_eq!(
        told["instructions"],
        format!("Run: docker exec -it tooldock-manager {command} (without a container: {command})")
    );
    let odd = [
        "A;id", "A$(id)", "A`id`", "A|id", "A&id", "A>x", "A\nid", "A'", "A\"", "A\\", "A *", "A#", "$A",
        "A{a,b}", "!A", "~A",
    ];
    for text in odd {
        for arguments in [
            json!({"key": text}),
            json!({"key": "B_TOKEN", "namespace": text.to_lowercase()}),
        ] {
            let told = pair.refused("prepare_secret", arguments);
            assert!(!told.contains("secrets set"), "{text}: {told}");
        }
        let declared = json!({"secrets": [text]}).to_string();
        fs::write(pair.tools().join("demo/tooldock.yaml"), declared).unwrap();
        for tool in ["doctor", "check_secrets"] {
            let told = pair.call(tool, json!({"namespace": "demo"}));
            assert!(!told.text.contains("secrets set"), "{text}: {told:?}");
        }
    }
    let stored = fs::read_to_string(pair.data().join("secrets.meta.yaml")).unwrap();
    assert!(!stored.contains("B_TOKEN") && !stored.contains("id"), "{stored}");
}
