//! The list of tools as a model reads it.

use std::process::Command;

use serde_json::{Value, json};
use tooldock_tests::{Http, needed, node};

use crate::clients::pipe;
use crate::pair::Pair;
use crate::programs::TOKEN;

/// Tokens that the whole list may cost a model.
const MOST_TOKENS: usize = 9000;

#[test]
fn the_whole_list_costs_a_model_little_and_every_tool_says_what_comes_next() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    let answer = pair.request("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let mut command = Command::new(node());
    command.arg(needed("TOOLDOCK_NODE_CLIENTS").join("tokens.mjs"));
    let cost: usize = pipe(&mut command, &json!({"tools": tools}).to_string())
        .trim()
        .parse()
        .unwrap();
    println!("{} tools cost {cost} tokens", tools.len());
    assert!(cost < MOST_TOKENS, "{cost} tokens");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    for tool in tools {
        let (name, text) = (
            tool["name"].as_str().unwrap(),
            tool["description"].as_str().unwrap(),
        );
        assert!(
            tool["inputSchema"]["additionalProperties"] == false && tool["outputSchema"]["type"] == "object",
            "{name}"
        );
        let guides = names
            .iter()
            .any(|other| *other != name && text.contains(&format!("`{other}`")))
            || text.contains("`instructions`");
        assert!(
            guides || name == "server_config",
            "{name} names no next tool: {text}"
        );
        assert!(
            text.contains("Use it"),
            "{name} does not say when to use it: {text}"
        );
    }
}

#[test]
fn s77_destructive_tools_say_so() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    let answer = pair.request("tools/list", json!({}));
    let hint = |tool: &Value, hint: &str| tool["annotations"][hint].as_bool().unwrap_or_default();
    let destructive: Vec<&str> = answer["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| hint(tool, "destructiveHint"))
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    for name in [
        "delete_namespace",
        "delete_tool",
        "remove_secret",
        "remove_requirement",
        "write_tool",
        "rollback_namespace",
        "test_tool",
    ] {
        assert!(destructive.contains(&name), "{name} is not in {destructive:?}");
    }
    for tool in answer["result"]["tools"].as_array().unwrap() {
        assert!(
            !(hint(tool, "readOnlyHint") && hint(tool, "destructiveHint")),
            "{tool}"
        );
    }
}

#[test]
fn every_door_of_the_core_is_there_and_only_for_the_manager_token() {
    let pair = Pair::alone("http://127.0.0.1:9", &[]);
    let base = pair.url().trim_end_matches("/mcp").to_owned();
    let http = Http::new(&base, Some(TOKEN));
    for path in ["/tools", "/_system/tools", "/openapi.json", "/_system/info"] {
        assert_eq!(http.get(path).status, 200, "{path}");
    }
    assert_eq!(http.get("/demo/tools").status, 404);
    assert_eq!(
        http.post("/_system/tools/list_namespaces", &json!({}), &[]).body,
        json!([])
    );
    let stranger = Http::new(&base, None);
    assert_eq!(
        (stranger.get("/health").status, stranger.get("/tools").status),
        (200, 401)
    );
    let core = Http::new(&base, Some("core-token-of-the-tests-5c1e"));
    assert_eq!(
        core.get("/tools").status,
        401,
        "the token of the core opens the manager"
    );
    for revision in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}});
        let (status, text) = http.post_raw(
            "/mcp",
            &hello.to_string(),
            &[("accept", "application/json, text/event-stream")],
        );
        assert!(status == 200 && text.contains(revision), "{revision}: {text}");
    }
    let mut stream = http.stream("/sse", &[]).expect("a stream");
    assert!(
        stream
            .next()
            .is_some_and(|endpoint| endpoint.starts_with("messages?"))
    );
    let off = Pair::alone("http://127.0.0.1:9", &[("ENABLE_LEGACY_MCP", "false")]);
    let http = Http::new(off.url().trim_end_matches("/mcp"), Some(TOKEN));
    assert!(http.stream("/sse", &[]).is_none());
}
