//! The doors through which a tool can be reached, each as a client goes through it.

use axum::{
    Router,
    body::{Body, BodyDataStream},
    http::{Request, Response},
};
use futures_util::StreamExt as _;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tooldock_judge::Exchange;

use crate::call::ask;

/// One way to a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    Modern,
    Session,
    Batch,
    Legacy,
    Rest,
    Mcpo,
}

impl Door {
    pub(crate) const ALL: [Self; 6] = [
        Self::Modern,
        Self::Session,
        Self::Batch,
        Self::Legacy,
        Self::Rest,
        Self::Mcpo,
    ];
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Called,
    /// The namespace may not be entered.
    Forbidden,
    /// There is no such tool, with what is said about that.
    NoTool(String),
}

/// Somebody with a token at an application.
pub(crate) struct Visitor<'a> {
    pub(crate) app: &'a Router,
    pub(crate) token: &'a str,
}

impl Visitor<'_> {
    fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost")
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
    }

    async fn send(&self, request: axum::http::request::Builder, body: &Value) -> (Response<Body>, Exchange) {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let exchange = Exchange::of(request.headers_ref().unwrap(), &body);
        let request = request.body(Body::from(body)).unwrap();
        let answer = ask(self.app, request).await;
        let exchange = exchange.answered(answer.headers());
        (answer, exchange)
    }

    /// Calls `tool` of `namespace` through `door`.
    pub(crate) async fn call(&self, door: Door, namespace: &str, tool: &str) -> Verdict {
        let params = json!({"name": tool, "arguments": {}});
        let (status, answer) = match door {
            Door::Rest | Door::Mcpo => {
                let below = if door == Door::Rest { "/tools" } else { "" };
                let path = format!("/{namespace}{below}/{tool}");
                read(self.send(self.request("POST", &path), &json!({})).await).await
            }
            door => self.ask(door, namespace, "tools/call", params).await,
        };
        let code = answer["error"]["code"].as_str().unwrap_or_default();
        let text = answer["error"]["message"].as_str().unwrap_or_default().to_owned();
        match status {
            403 => Verdict::Forbidden,
            _ if code == "tool_not_found" || answer["error"]["code"] == -32_602 => Verdict::NoTool(text),
            200 if answer["error"].is_null() => Verdict::Called,
            _ => panic!("{door:?} {namespace} {tool}: {status} {answer}"),
        }
    }

    /// The names of the tools of `namespace` as `door` lists them; nothing where it may not be entered.
    pub(crate) async fn list(&self, door: Door, namespace: &str) -> Option<Vec<String>> {
        let (status, answer) = match door {
            Door::Rest | Door::Mcpo => {
                let below = if door == Door::Rest {
                    "tools"
                } else {
                    "openapi.json"
                };
                let path = format!("/{namespace}/{below}");
                read(self.send(self.request("GET", &path), &Value::Null).await).await
            }
            door => self.ask(door, namespace, "tools/list", json!({})).await,
        };
        let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
        let tools = match &answer["paths"] {
            Value::Object(paths) => paths
                .keys()
                .map(|path| path.rsplit('/').next().unwrap().to_owned())
                .collect(),
            _ => {
                let tools = answer["result"]["tools"]
                    .as_array()
                    .or(answer["tools"].as_array());
                tools.into_iter().flatten().map(name).collect()
            }
        };
        (status != 403).then_some(tools)
    }

    /// One request over MCP; the status is that of the first refusal.
    async fn ask(&self, door: Door, namespace: &str, method: &str, mut params: Value) -> (u16, Value) {
        let path = format!("/{namespace}/mcp");
        if door == Door::Modern {
            params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}});
            let mut request = self
                .request("POST", &path)
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", method);
            if let Some(name) = params["name"].as_str() {
                request = request.header("mcp-name", name);
            }
            return read(self.send(request, &message(1, method, &params)).await).await;
        }
        if door == Door::Legacy {
            return self.converse(namespace, method, &params).await;
        }
        let revision = if door == Door::Batch {
            "2025-03-26"
        } else {
            "2025-11-25"
        };
        let opened = self
            .send(self.request("POST", &path), &initialize(revision))
            .await;
        let session = opened.0.headers().get("mcp-session-id").cloned();
        let refused = read(opened).await;
        let Some(session) = session else {
            return refused;
        };
        let request = self
            .request("POST", &path)
            .header("mcp-protocol-version", revision)
            .header("mcp-session-id", session);
        let message = message(2, method, &params);
        let body = if door == Door::Batch {
            json!([message])
        } else {
            message
        };
        let (status, answer) = read(self.send(request, &body).await).await;
        let answer = answer
            .as_array()
            .map_or(answer.clone(), |answers| answers[0].clone());
        (status, answer)
    }

    /// The same over the transport of 2024-11-05.
    async fn converse(&self, namespace: &str, method: &str, params: &Value) -> (u16, Value) {
        let (opened, mut exchange) = self
            .send(self.request("GET", &format!("/{namespace}/sse")), &Value::Null)
            .await;
        if opened.status() != 200 {
            return read((opened, exchange)).await;
        }
        let mut stream = opened.into_body().into_data_stream();
        let endpoint = event(&mut stream, &mut exchange).await;
        let mut answer = Value::Null;
        for message in [initialize("2024-11-05"), message(2, method, params)] {
            let request = self.request("POST", &format!("/{namespace}/{endpoint}"));
            exchange.note(&message);
            assert_eq!(self.send(request, &message).await.0.status(), 202);
            answer = serde_json::from_str(&event(&mut stream, &mut exchange).await).unwrap();
        }
        (200, answer)
    }
}

fn message(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn initialize(revision: &str) -> Value {
    let client =
        json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    message(1, "initialize", &client)
}

/// Status and JSON of an answer, of an event stream that of its first message.
async fn read((answer, mut exchange): (Response<Body>, Exchange)) -> (u16, Value) {
    let status = answer.status().as_u16();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    let text = String::from_utf8(body.to_vec()).unwrap();
    exchange.hear(&text);
    let data = text
        .lines()
        .find_map(|line| line.strip_prefix("data: "))
        .unwrap_or(&text);
    (status, serde_json::from_str(data).unwrap_or_default())
}

/// The data of the next event.
async fn event(stream: &mut BodyDataStream, exchange: &mut Exchange) -> String {
    loop {
        let frame = stream.next().await.expect("the stream goes on").unwrap();
        let frame = String::from_utf8(frame.to_vec()).unwrap();
        exchange.hear(&frame);
        if let Some(data) = frame.lines().find_map(|line| line.strip_prefix("data: ")) {
            return data.to_owned();
        }
    }
}
