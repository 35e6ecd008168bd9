//! Clients that somebody else wrote, each a process of its own, against the release binary.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod client; // one client in one mode, and what it reports
mod expected; // what every client has to see
mod library; // resources, prompts, completion, questions, and an answer that is cut in two
mod lines; // clients that start a process
mod proxies; // every client through nginx and Caddy
mod proxy; // one of them, by the settings of the guide
mod sse; // clients of the transport of 2024-11-05
mod tape; // what processes are told and say
mod way; // a way to the gateway that keeps what goes over it, and may break
mod wire; // what went over it

use std::sync::Mutex;
use std::thread;

use serde_json::json;
use tooldock_tests::{Gateway, Tools, fixtures};

use client::{CLIENTS, Client, Skill};
use way::Way;

/// How many clients run at once.
const AT_ONCE: usize = 3;

/// What a tool of the conversations looks like.
const TALK: &str = include_str!("../fixtures/talk/talk.py");

/// Every client in every mode sees the same and exactly this, and nothing with a wrong token.
///
/// The namespace is in the path; it is in a header for those who do not show elsewhere that they can send it.
/// One test, so that one gateway serves them all; each row that differs is named.
#[test]
fn every_client_sees_the_same_tools_answers_and_errors() {
    let gateway = Gateway::start(fixtures());
    let (way, token) = (Way::to(gateway.base_url()), gateway.token());
    let by_path = (format!("{}/demo/mcp", way.base_url()), None);
    let by_header = (format!("{}/mcp", way.base_url()), Some("demo"));
    for_each_client(|client| {
        let also = (client.3 != Skill::Talks).then_some(&by_header);
        for (url, namespace) in [&by_path].into_iter().chain(also) {
            let seen = client.report(url, token, *namespace);
            seen.and_then(|seen| expected::compare_calls(client, &seen))
                .map_err(|problem| format!("at {url}: {problem}"))?;
        }
        client.is_kept_out(&by_path.0)
    });
}

/// Every client that can do so follows a call by its progress and logs, cancels one, and learns of a new tool.
///
/// Each has a namespace of its own, because it changes it.
#[test]
fn every_client_hears_what_happens_during_a_call_and_to_the_list() {
    let tools = Tools::new();
    let namespace = |client: &Client| format!("talk{}", client.number());
    let talkers = || CLIENTS.iter().filter(|client| client.3 == Skill::Talks);
    for client in talkers() {
        tools.write(&namespace(client), "talk.py", TALK);
    }
    let gateway = Gateway::start(tools.path());
    let (way, token) = (Way::to(gateway.base_url()), gateway.token());
    let url = format!("{}/mcp", way.base_url());
    for_each_client(|client| {
        if client.3 != Skill::Talks {
            return Ok(());
        }
        let namespace = namespace(client);
        let folder = tools.path().join(&namespace);
        let seen = client.run(&url, token, &namespace, &folder)?;
        expected::compare_talk(client, &seen)
    });
}

/// A client that can set only an address and a token names its namespace in the path.
#[test]
fn f59_the_path_names_the_namespace_and_a_header_may_only_agree() {
    let gateway = Gateway::start(fixtures());
    let list = |path: &str, header: Option<&str>| {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
        let mut headers = vec![
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/list"),
        ];
        headers.extend(header.map(|namespace| ("x-namespace", namespace)));
        gateway.http().post(path, &body, &headers)
    };
    let by_header = list("/mcp", Some("demo"));
    assert_eq!(by_header.body["result"]["tools"][0]["name"], "add");
    for path in ["/demo/mcp", "/mcp/demo"] {
        assert_eq!(list(path, None), by_header, "{path}");
        assert_eq!(list(path, Some("demo")), by_header, "{path}");
        let contradiction = list(path, Some("second"));
        assert_eq!(contradiction.status, 400, "{contradiction:?}");
        assert!(contradiction.error().contains("`second`"), "{contradiction:?}");
    }
}

/// Tries every client, a few at a time, and names those that failed.
fn for_each_client(attempt: impl Fn(&Client) -> Result<(), String> + Sync) {
    let waiting = Mutex::new(CLIENTS.iter());
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(client) = { waiting.lock().unwrap().next() } {
            if let Err(problem) = attempt(client) {
                failures.lock().unwrap().push(format!("{client}: {problem}"));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
