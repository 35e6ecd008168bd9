//! Requests as bytes, made before the clock runs. Only the id changes from call to call.

use serde_json::{Value, json};
use tooldock_bench::TOKEN;

/// The first id; all have as many digits, so that they are written in place.
const FIRST_ID: u64 = 10_000_000;

/// What each call says.
pub(crate) const MESSAGE: &str = "hello, how are you today?";

/// A request that can be sent again and again.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    bytes: Vec<u8>,
    /// Where the id is, if it has one.
    id: Option<usize>,
    next: u64,
}

impl Request {
    fn new(bytes: Vec<u8>) -> Self {
        let id = memchr::memmem::find(&bytes, FIRST_ID.to_string().as_bytes());
        Self {
            bytes,
            id,
            next: FIRST_ID,
        }
    }

    /// The bytes with an id that was not used before.
    pub(crate) fn next(&mut self) -> &[u8] {
        if let Some(at) = self.id {
            let mut id = self.next;
            for digit in self.bytes[at..at + 8].iter_mut().rev() {
                *digit = b'0' + u8::try_from(id % 10).unwrap_or_default();
                id /= 10;
            }
            self.next += 1;
        }
        &self.bytes
    }
}

/// A line for `echo.py`.
pub(crate) fn line() -> Request {
    let line = json!({"id": FIRST_ID, "arguments": {"message": MESSAGE}});
    Request::new(format!("{line}\n").into_bytes())
}

/// A call over REST: the arguments as body.
pub(crate) fn rest(path: &str) -> Request {
    post(path, &[], &json!({"message": MESSAGE}))
}

/// A request in the revision of 2026-07-28.
pub(crate) fn modern(path: &str, method: Method) -> Request {
    let (name, mut params) = method.params();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", name)];
    if matches!(method, Method::Call) {
        headers.push(("Mcp-Name", "echo"));
    }
    post(path, &headers, &message(name, &params))
}

/// The first request of a session.
pub(crate) fn initialize(path: &str) -> Request {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    });
    post(path, &[], &message("initialize", &params))
}

/// What a client says when it has read the answer to `initialize`.
pub(crate) fn initialized(path: &str, session: &str) -> Request {
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    post(path, &in_session(session), &told)
}

/// A call in a session.
pub(crate) fn session_call(path: &str, session: &str) -> Request {
    let (name, params) = Method::Call.params();
    post(path, &in_session(session), &message(name, &params))
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Method {
    /// `tools/call` of `echo`.
    Call,
    /// `tools/list`.
    List,
}

impl Method {
    fn params(self) -> (&'static str, Value) {
        match self {
            Self::Call => (
                "tools/call",
                json!({"name": "echo", "arguments": {"message": MESSAGE}}),
            ),
            Self::List => ("tools/list", json!({})),
        }
    }
}

fn in_session(session: &str) -> [(&'static str, &str); 2] {
    [
        ("MCP-Protocol-Version", "2025-11-25"),
        ("Mcp-Session-Id", session),
    ]
}

fn message(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": FIRST_ID, "method": method, "params": params})
}

fn post(path: &str, headers: &[(&str, &str)], body: &Value) -> Request {
    let body = body.to_string();
    let mut text = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    Request::new(format!("{text}\r\n{body}").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_has_an_id_of_its_own() {
        let mut request = modern("/mcp", Method::Call);
        let first = String::from_utf8(request.next().to_vec()).unwrap();
        let second = String::from_utf8(request.next().to_vec()).unwrap();
        assert!(first.contains("\"id\":10000000"), "{first}");
        assert_eq!(first.replace("10000000", "10000001"), second);
        assert!(first.contains("Mcp-Name: echo"), "{first}");
    }
}
