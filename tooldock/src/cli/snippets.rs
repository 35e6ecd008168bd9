//! Lines to paste into clients.

use serde_json::{Map, Value, json};
use tooldock_engine::Tool;

/// The lines for each client, by its name. They name the token by its variable, so that they can be kept and shared.
pub(super) fn snippets(
    base: &str,
    namespace: &str,
    example: &Tool,
    token: bool,
) -> Vec<(&'static str, String)> {
    let (url, server) = (format!("{base}/{namespace}/mcp"), format!("tooldock-{namespace}"));
    // Without a token there is nothing to send and nothing to ask for.
    let server_of = |mut server: Value, variable: &str| {
        if token {
            server["headers"] = json!({"Authorization": format!("Bearer {variable}")});
        }
        server
    };
    let header = if token {
        " -H \"Authorization: Bearer $TOOLDOCK_TOKEN\""
    } else {
        ""
    };
    let body = Value::Object(sample(example)).to_string().replace('\'', "'\\''");
    let tool = &example.name;
    let curl = format!(
        "curl {base}/{namespace}/tools/{tool}{header} -H 'Content-Type: application/json' -d '{body}'"
    );
    let cursor = server_of(json!({"url": url}), "${env:TOOLDOCK_TOKEN}");
    let cursor = json!({"mcpServers": {&server: cursor}});
    let code = server_of(json!({"type": "http", "url": url}), "${input:tooldock}");
    let mut code = json!({"servers": {&server: code}});
    if token {
        code["inputs"] = json!([{"id": "tooldock", "type": "promptString", "password": true, "description": "ToolDock token"}]);
    }
    let key = if token {
        ", auth: Bearer, key: the token"
    } else {
        ""
    };
    // What has to be written into a file of that program names no variable: it expands none.
    let mut desktop = json!({"command": "tooldock-core", "args": ["connect", url]});
    // A name of its own, because `-` stands between this name and that of a tool.
    let mut proxy = json!({"url": url, "transport": "http"});
    if token {
        desktop["env"] = json!({"TOOLDOCK_TOKEN": "the token"});
        proxy["auth_type"] = json!("bearer_token");
        proxy["auth_value"] = json!("os.environ/TOOLDOCK_TOKEN");
    }
    let desktop = json!({"mcpServers": {&server: desktop}});
    let proxy = json!({"mcp_servers": {namespace.replace('-', "_"): proxy}});
    vec![
        ("curl", curl),
        (
            "Claude Code",
            format!(
                "claude mcp add --transport http {server} {url}{}",
                header.replace(" -H ", " --header ")
            ),
        ),
        ("Claude Desktop: claude_desktop_config.json", desktop.to_string()),
        ("Cursor: .cursor/mcp.json", cursor.to_string()),
        ("VS Code: .vscode/mcp.json", code.to_string()),
        (
            "Open WebUI: Admin Settings, External Tools, MCP (Streamable HTTP)",
            format!("URL: {url}{key}"),
        ),
        // JSON is YAML, and one line can be pasted anywhere.
        ("LiteLLM: config.yaml", proxy.to_string()),
    ]
}

/// Arguments that fit the tool's schema in the simple cases: a default, else something of the right type.
fn sample(tool: &Tool) -> Map<String, Value> {
    let schema: Value = tool.input_schema.parse().unwrap_or_default();
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema["properties"].as_object();
    let wanted = properties.into_iter().flatten().filter(|(name, property)| {
        required.contains(&name.as_str()) || property.get("default").is_some_and(|default| !default.is_null())
    });
    wanted
        .map(|(name, property)| (name.clone(), value(property)))
        .collect()
}

fn value(property: &Value) -> Value {
    if let Some(default) = property.get("default") {
        return default.clone();
    }
    if let Some(first) = property["enum"].get(0) {
        return first.clone();
    }
    match property["type"].as_str() {
        Some("string") => json!("text"),
        Some("integer" | "number") => property.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("null") => Value::Null,
        _ => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tooldock_engine::RawJson;

    use super::*;

    fn tool() -> Tool {
        let mut tool = Tool::new("greet".parse().unwrap());
        tool.input_schema = RawJson::from(json!({
            "type": "object",
            "properties": {"name": {"type": "string"}, "times": {"type": "integer", "default": 2}, "note": {"type": "string"}},
            "required": ["name"],
        }));
        tool
    }

    #[test]
    fn every_client_has_a_line_that_names_no_token() {
        let lines = snippets("http://127.0.0.1:8000", "demo", &tool(), true);
        let names: Vec<_> = lines
            .iter()
            .map(|(client, _)| client.split([':', ' ']).next().unwrap())
            .collect();
        assert_eq!(
            names,
            ["curl", "Claude", "Claude", "Cursor", "VS", "Open", "LiteLLM"]
        );
        assert_eq!(
            lines[0].1,
            "curl http://127.0.0.1:8000/demo/tools/greet -H \"Authorization: Bearer $TOOLDOCK_TOKEN\" \
             -H 'Content-Type: application/json' -d '{\"name\":\"text\",\"times\":2}'"
        );
        for (client, line) in &lines[3..5] {
            let json: Value = serde_json::from_str(line).expect(client);
            let servers = if client.starts_with("VS") {
                &json["servers"]
            } else {
                &json["mcpServers"]
            };
            assert_eq!(servers["tooldock-demo"]["url"], "http://127.0.0.1:8000/demo/mcp");
        }
    }

    #[test]
    fn programs_with_a_file_get_what_that_file_holds() {
        let lines = snippets("http://127.0.0.1:8000", "my-tools", &tool(), true);
        let line = |name: &str| {
            &lines
                .iter()
                .find(|(client, _)| client.starts_with(name))
                .unwrap()
                .1
        };
        let desktop: Value = serde_json::from_str(line("Claude Desktop")).unwrap();
        let server = &desktop["mcpServers"]["tooldock-my-tools"];
        assert_eq!(server["command"], "tooldock-core");
        assert_eq!(
            server["args"],
            json!(["connect", "http://127.0.0.1:8000/my-tools/mcp"])
        );
        assert_eq!(server["env"], json!({"TOOLDOCK_TOKEN": "the token"}));
        // Read as YAML, which is what the file is.
        let proxy: Config = serde_saphyr::from_str(line("LiteLLM")).unwrap();
        let server = &proxy.mcp_servers["my_tools"];
        assert_eq!(server["url"], "http://127.0.0.1:8000/my-tools/mcp");
        assert_eq!(
            (&*server["transport"], &*server["auth_type"]),
            ("http", "bearer_token")
        );
        assert_eq!(server["auth_value"], "os.environ/TOOLDOCK_TOKEN");
    }

    #[derive(serde::Deserialize)]
    struct Config {
        mcp_servers: BTreeMap<String, BTreeMap<String, String>>,
    }

    #[test]
    fn without_a_token_no_line_asks_for_one() {
        let lines = snippets("http://127.0.0.1:8000", "demo", &tool(), false);
        assert!(
            lines
                .iter()
                .all(|(_, line)| !["Authorization", "inputs", "TOKEN", "token"]
                    .iter()
                    .any(|word| line.contains(word))),
            "{lines:?}"
        );
    }
}
