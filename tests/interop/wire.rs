//! HTTP/1.1 as it went over a connection: what was asked, what was said to it, and whether that has the form it has to have.

use std::collections::BTreeMap;

use serde_json::Value;
use tooldock_judge::Judge;

/// A request, and the response as far as it got.
#[derive(Debug)]
pub(crate) struct Exchange {
    request: Part,
    response: Part,
}

/// A request or a response.
#[derive(Debug)]
struct Part {
    /// The line it starts with.
    start: String,
    /// Names are in lower case.
    headers: BTreeMap<String, String>,
    body: String,
}

/// Reads the exchanges of one connection.
pub(crate) fn read_exchanges(asked: &[u8], said: &[u8]) -> Vec<Exchange> {
    let responses = read_parts(said);
    // `100 Continue` and its like answer nothing.
    let responses = responses
        .into_iter()
        .filter(|part| !part.start.starts_with("HTTP/1.1 1"));
    let pairs = read_parts(asked).into_iter().zip(responses);
    pairs
        .map(|(request, response)| Exchange { request, response })
        .collect()
}

/// Judges every message of the gateway by the published schema of its revision, and tells how many there were.
pub(crate) fn judge(exchanges: Vec<Exchange>) -> usize {
    let mut conversations: BTreeMap<String, Vec<Exchange>> = BTreeMap::new();
    for (number, exchange) in exchanges.into_iter().enumerate() {
        let session = exchange.session().unwrap_or_else(|| number.to_string());
        conversations.entry(session).or_default().push(exchange);
    }
    let judge = |conversation: Vec<Exchange>| {
        let said = conversation.iter().flat_map(Exchange::said).collect();
        Judge::conversation(conversation.iter().map(Exchange::asked), said)
    };
    conversations.into_values().map(judge).sum()
}

impl Exchange {
    /// The session it belongs to: by its header, or by the address that a stream of 2024-11-05 begins with.
    fn session(&self) -> Option<String> {
        let header = |part: &Part| part.headers.get("mcp-session-id").cloned();
        let query = |address: &str| Some(address.split_once('?')?.1.to_owned());
        let endpoint = || self.response.events().find(|(name, _)| *name == Some("endpoint"));
        header(&self.request)
            .or_else(|| header(&self.response))
            .or_else(|| query(self.request.start.split(' ').nth(1)?))
            .or_else(|| query(&endpoint()?.1))
    }

    fn asked(&self) -> Value {
        serde_json::from_str(&self.request.body).unwrap_or_default()
    }

    /// The messages of the response.
    fn said(&self) -> Vec<Value> {
        let events = self.response.events().map(|(_, data)| data);
        let texts = events.chain([self.response.body.clone()]);
        let messages = texts.filter_map(|text| serde_json::from_str::<Value>(&text).ok());
        let is_message = |value: &Value| value["jsonrpc"].is_string() || value[0]["jsonrpc"].is_string();
        messages.filter(is_message).collect()
    }
}

impl Part {
    /// The events that are whole, each with its name and its data.
    fn events(&self) -> impl Iterator<Item = (Option<&str>, String)> {
        let whole = self.body.rsplit_once("\n\n").map_or("", |(whole, _)| whole);
        whole.split("\n\n").map(|event| {
            let field = |name| event.lines().filter_map(move |line| line.strip_prefix(name));
            let data: Vec<&str> = field("data: ").collect();
            (field("event: ").next(), data.join("\n"))
        })
    }
}

/// Where `part` begins in `text`.
pub(crate) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// All requests, or all responses, of one direction.
fn read_parts(mut bytes: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    while let Some((part, rest)) = read_part(bytes) {
        parts.push(part);
        bytes = rest;
    }
    parts
}

/// The first part, and what comes after it.
fn read_part(bytes: &[u8]) -> Option<(Part, &[u8])> {
    let end = find(bytes, b"\r\n\r\n")?;
    let (head, rest) = (String::from_utf8_lossy(&bytes[..end]), &bytes[end + 4..]);
    let (start, lines) = head.split_once("\r\n")?;
    let headers: BTreeMap<_, _> = lines
        .split("\r\n")
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let (body, rest) = if headers.contains_key("transfer-encoding") {
        join_chunks(rest)
    } else {
        let length = headers.get("content-length").and_then(|text| text.parse().ok());
        let (body, rest) = rest.split_at(rest.len().min(length.unwrap_or(0)));
        (body.to_vec(), rest)
    };
    let part = Part {
        start: start.to_owned(),
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    Some((part, rest))
}

/// A body that travels in chunks, as far as it got, and what comes after it.
fn join_chunks(mut rest: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut body = Vec::new();
    while let Some(line) = find(rest, b"\r\n") {
        let size = str::from_utf8(&rest[..line]).ok();
        let size = size
            .and_then(|size| usize::from_str_radix(size, 16).ok())
            .unwrap();
        let chunk = &rest[line + 2..];
        body.extend(&chunk[..size.min(chunk.len())]);
        rest = chunk.get(size + 2..).unwrap_or_default();
        if size == 0 {
            break;
        }
    }
    (body, rest)
}

/// What is written here is noticed wherever it stands: in a body, in chunks of a stream, on the stream of another session.
#[test]
fn messages_of_another_form_are_noticed_on_every_way() {
    let session = "mcp-session-id: s\r\n";
    let ask = |id: u8, method: &str, headers: &str| {
        let body = format!(r#"{{"jsonrpc": "2.0", "id": {id}, "method": "{method}"}}"#);
        format!(
            "POST /a/mcp HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let whole = |headers: &str, body: &str| {
        format!(
            "HTTP/1.1 200 OK\r\n{headers}content-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let chunks = |body: &str| {
        let (one, two) = body.split_at(7);
        let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
        format!(
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{}{}0\r\n\r\n",
            chunk(one),
            chunk(two)
        )
    };
    let opened = r#"{"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25", "capabilities": {},
        "serverInfo": {"name": "t", "version": "1"}}}"#;
    let answer = |tools: &str| format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": {tools}}}}}"#);
    let asked = ask(0, "initialize", "") + &ask(1, "tools/list", session);
    for (tools, fine) in [("[]", true), ("5", false)] {
        let answer = answer(tools);
        for said in [whole("", &answer), chunks(&format!("id: 1\ndata: {answer}\n\n"))] {
            let said = whole(session, opened) + &said;
            let exchanges = read_exchanges(asked.as_bytes(), said.as_bytes());
            let judged = std::panic::catch_unwind(|| judge(exchanges));
            assert_eq!(judged.ok(), fine.then_some(2), "{said}");
        }
    }
}
