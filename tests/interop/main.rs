//! Clients that somebody else wrote, each a process of its own, against the release binary.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod client; // one client in one mode, and what it reports

use serde_json::{Value, json};
use tooldock_tests::{Gateway, fixtures};

use client::{CLIENTS, Client};

/// Every client in every mode, with the namespace in the path and in a header, sees the same and exactly this.
///
/// One test, so that one gateway serves them all; each row that differs is named.
#[test]
fn every_client_sees_the_same_tools_answers_and_errors() {
    let gateway = Gateway::start(fixtures());
    let by_path = (format!("{}/demo/mcp", gateway.base_url()), None);
    let by_header = (format!("{}/mcp", gateway.base_url()), Some("demo"));
    let mut failures = Vec::new();
    for client in CLIENTS {
        for (url, namespace) in [&by_path, &by_header] {
            let found = client
                .report(url, gateway.token(), *namespace)
                .and_then(|seen| compare(client, &seen));
            failures.extend(found.err().map(|problem| format!("{client} at {url}: {problem}")));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// A wrong token keeps every client out.
#[test]
fn no_client_gets_in_with_a_wrong_token() {
    let gateway = Gateway::start(fixtures());
    let url = format!("{}/demo/mcp", gateway.base_url());
    for client in CLIENTS {
        let failure = client
            .report(&url, "a-token-that-nobody-gave-out", None)
            .unwrap_err();
        assert!(failure.contains("ended with"), "{client}: {failure}");
    }
}

/// Compares what a client saw with what there is to see.
fn compare(client: &Client, seen: &Value) -> Result<(), String> {
    let expected = [
        ("protocol", json!(client.protocol)),
        ("tools", json!(["add", "echo", "fail", "rest", "say_hello"])),
        (
            "hello",
            json!({"isError": false, "text": "Hello, Ada!", "structured": {"result": "Hello, Ada!"}}),
        ),
        (
            "add",
            json!({"isError": false, "text": "3.5", "structured": {"result": 3.5}}),
        ),
        (
            "raises",
            json!({"isError": true, "text": "Error calling tool 'fail': on purpose"}),
        ),
    ];
    for (member, value) in expected {
        if seen[member] != value {
            return Err(format!("`{member}` is {}, not {value}", seen[member]));
        }
    }
    let refused = &seen["bad_arguments"];
    if refused["isError"] != true
        || !refused["text"]
            .as_str()
            .is_some_and(|text| text.contains("`arguments.a`"))
    {
        return Err(format!(
            "`bad_arguments` is {refused}, which is no tool error that names `arguments.a`"
        ));
    }
    let unknown = &seen["unknown"];
    if unknown["code"] != -32602
        || !unknown["message"]
            .as_str()
            .is_some_and(|text| text.contains("no_such_tool"))
    {
        return Err(format!(
            "`unknown` is {unknown}, which is no -32602 that names the tool"
        ));
    }
    Ok(())
}
