//! The document, the page and the short paths of a namespace; the same arguments at both doors.

use axum::body::Body;
use http::StatusCode;
use serde_json::{Value, json};
use tooldock::{Gateway, RawJson, StaticEngine, Tool, ToolOutput};

use crate::fixture::{bearer, gateway, request, send};

#[tokio::test]
async fn a_tool_is_called_by_the_short_path_of_the_document() {
    let app = gateway().router();
    let (status, _, document) = send(
        &app,
        request("GET", "/demo/openapi.json").body(Body::empty()).unwrap(),
    )
    .await;
    assert_eq!(
        (status, &document["info"]["title"]),
        (StatusCode::OK, &json!("demo"))
    );
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    assert_eq!(paths, ["/add", "/panics"]);
    let call = request("POST", "/demo/add")
        .body(Body::from(r#"{"a":1.5,"b":2}"#))
        .unwrap();
    let (status, _, body) = send(&app, call).await;
    assert_eq!((status, body), (StatusCode::OK, json!({"sum": 3.5})));
    for (method, path, expected) in [
        ("POST", "/demo/ad", 404),
        ("GET", "/demo/add", 405),
        ("POST", "/none/add", 404),
        ("POST", "/api/add", 404),
    ] {
        let (status, _, body) = send(&app, request(method, path).body(Body::from("{}")).unwrap()).await;
        assert_eq!(status.as_u16(), expected, "{method} {path}: {body}");
    }
}

#[tokio::test]
async fn document_and_page_are_found_by_path_and_by_header() {
    let app = gateway().router();
    for (path, namespace) in [
        ("/demo/openapi.json", None),
        ("/openapi.json", Some("demo")),
        ("/demo/docs", None),
        ("/docs", Some("demo")),
    ] {
        let mut request = request("GET", path);
        if let Some(namespace) = namespace {
            request = request.header("x-namespace", namespace);
        }
        let (status, headers, _) = send(&app, request.body(Body::empty()).unwrap()).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        let is_page = headers["content-type"].to_str().unwrap().starts_with("text/html");
        assert_eq!(is_page, path.ends_with("docs"), "{path}");
        assert_eq!(headers.contains_key("content-security-policy"), is_page, "{path}");
    }
    let (status, ..) = send(&app, request("GET", "/openapi.json").body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

/// The outcome of one call over REST and over MCP: what the tool was given, or the text of the refusal.
async fn both_doors(arguments: &Value) -> [Result<Value, String>; 2] {
    let mut tool = Tool::new("f".parse().unwrap());
    tool.input_schema = RawJson::from(json!({"type": "object", "properties": {
        "a": {"type": "string"}, "limit": {"type": "integer", "default": 10},
        "b": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}}, "required": ["a"]}));
    let tell = async |_cx, arguments: RawJson| Ok(ToolOutput::structured(&arguments));
    let engine = StaticEngine::builder().tool(tool, tell).build().unwrap();
    let app = Gateway::builder()
        .namespace("demo", engine)
        .bearer(bearer())
        .build()
        .unwrap()
        .router();

    let rest = request("POST", "/demo/f")
        .body(Body::from(arguments.to_string()))
        .unwrap();
    let (status, _, body) = send(&app, rest).await;
    let message = body["error"]["message"].as_str().unwrap_or_default().to_owned();
    let rest = if status == StatusCode::OK {
        Ok(body)
    } else {
        Err(message)
    };

    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "f", "arguments": arguments,
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}});
    let mcp = request("POST", "/demo/mcp")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "f");
    let (_, _, body) = send(&app, mcp.body(Body::from(call.to_string())).unwrap()).await;
    let result = &body["result"];
    let mcp = if result["isError"] == true {
        Err(result["content"][0]["text"].as_str().unwrap().to_owned())
    } else {
        Ok(result["structuredContent"].clone())
    };
    [rest, mcp]
}

#[tokio::test]
async fn f11_an_optional_argument_is_left_out_null_or_right_at_every_door() {
    for arguments in [
        json!({"a": "x"}),
        json!({"a": "x", "b": null}),
        json!({"a": "x", "b": 3}),
    ] {
        assert_eq!(
            both_doors(&arguments).await,
            [Ok(arguments.clone()), Ok(arguments)]
        );
    }
    let [rest, mcp] = both_doors(&json!({"a": "x", "b": "three"})).await;
    assert_eq!(rest, mcp);
    assert!(rest.unwrap_err().contains("`arguments.b`"));
}

#[tokio::test]
async fn f15_a_null_for_a_default_is_not_given_and_for_a_required_one_is_refused_by_name() {
    let left_out = json!({"a": "x"});
    let found = both_doors(&json!({"a": "x", "limit": null})).await;
    assert_eq!(found, [Ok(left_out.clone()), Ok(left_out)]);
    let [rest, mcp] = both_doors(&json!({"a": null})).await;
    assert_eq!(rest, mcp);
    assert!(rest.unwrap_err().contains("`arguments.a`"));
}

/// F47: a slash at the end changes nothing, and nobody is sent elsewhere.
#[tokio::test]
async fn f47_a_slash_at_the_end_changes_nothing() {
    let app = gateway().router();
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (method, path, body) in [
        ("POST", "/demo/mcp", initialize),
        ("POST", "/mcp/demo", initialize),
        ("GET", "/demo/tools", ""),
        ("POST", "/demo/tools/add", r#"{"a":1.5,"b":2}"#),
        ("POST", "/demo/add", r#"{"a":1.5,"b":2}"#),
        ("GET", "/namespaces", ""),
        ("GET", "/health", ""),
    ] {
        let ask = async |path: &str| {
            let request = request(method, path).header("accept", "application/json, text/event-stream");
            let (status, _, answer) = send(&app, request.body(Body::from(body)).unwrap()).await;
            (status, answer)
        };
        let (plain, slashed) = (ask(path).await, ask(&format!("{path}/")).await);
        assert!(
            !plain.0.is_redirection() && plain.0 != StatusCode::NOT_FOUND,
            "{path}: {plain:?}"
        );
        assert_eq!(plain, slashed, "{path}");
    }
}
