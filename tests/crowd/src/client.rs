//! The least HTTP that opens sessions and streams: one request after the other on one connection.

use http::HeaderMap;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
};
use tooldock_judge::Exchange;

use crate::Outcome;

/// The body that opens a session.
pub(crate) const INITIALIZE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{},"clientInfo":{"name":"crowd","version":"1"}}}"#
);

/// The body that says that the client is ready.
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// The body that asks for changes of tools without a session.
pub(crate) const LISTEN: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"#,
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#
);

/// A connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    /// What judges the answer to the last request.
    exchange: Exchange,
}

/// An answer that has ended.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) session: Option<String>,
    pub(crate) body: String,
}

impl Client {
    pub(crate) async fn connect(address: &str) -> Outcome<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::with_capacity(1024, stream),
            exchange: Exchange::default(),
        })
    }

    /// Sends a request and reads the whole answer; `headers` are whole lines.
    pub(crate) async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Outcome<Answer> {
        self.ask(method, path, headers, body).await?;
        let (status, headers) = self.head().await?;
        let value = |name: &str| headers.get(name)?.to_str().ok();
        let length = value("content-length").map_or(Ok(0), str::parse)?;
        let session = value("mcp-session-id").map(str::to_owned);
        let mut content = vec![0; length];
        self.stream.read_exact(&mut content).await?;
        let body = String::from_utf8(content)?;
        self.exchange.hear(&body);
        Ok(Answer {
            status,
            session,
            body,
        })
    }

    /// Opens a session for the owner of `token` and gives its id.
    pub(crate) async fn open(&mut self, token: &str) -> Outcome<String> {
        let answer = self
            .send("POST", "/crowd/mcp", &authorized(token), INITIALIZE)
            .await?;
        let session = answer
            .session
            .ok_or(format!("no session: {} {}", answer.status, answer.body))?;
        let headers = in_session(token, &session);
        let told = self.send("POST", "/crowd/mcp", &headers, INITIALIZED).await?;
        expect(told.status, 202, &told.body)?;
        Ok(session)
    }

    /// Opens an event stream.
    pub(crate) async fn stream(&mut self, method: &str, headers: &str, body: &str) -> Outcome {
        let headers = format!("{headers}Accept: application/json, text/event-stream\r\n");
        self.ask(method, "/crowd/mcp", &headers, body).await?;
        let (status, ..) = self.head().await?;
        expect(status, 200, "an event stream was wanted")
    }

    /// Judges what was read of a stream.
    pub(crate) fn judge(&mut self, said: &str) {
        self.exchange.hear(said);
    }

    /// Reads the stream up to a line with `text` in it.
    pub(crate) async fn await_line(&mut self, text: &str) -> Outcome<String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err(format!("the stream ended before `{text}`").into());
            }
            if line.contains(text) {
                return Ok(line);
            }
        }
    }

    async fn ask(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Outcome {
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        self.exchange = Exchange::of(&read_headers(headers), body);
        Ok(self.stream.write_all(request.as_bytes()).await?)
    }

    /// Status and headers of the answer.
    async fn head(&mut self) -> Outcome<(u16, HeaderMap)> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head).await? == 0 {
                return Err("the server closed the connection".into());
            }
        }
        let (first, rest) = head.split_once("\r\n").ok_or("no status")?;
        let status = first.split(' ').nth(1).ok_or("no status")?.parse()?;
        let headers = read_headers(rest);
        self.exchange = std::mem::take(&mut self.exchange).answered(&headers);
        Ok((status, headers))
    }
}

/// Whole lines as headers; what is none is left out.
fn read_headers(lines: &str) -> HeaderMap {
    let pairs = lines.lines().filter_map(|line| line.split_once(": "));
    let header = |(name, value): (&str, &str)| Some((name.parse().ok()?, value.parse().ok()?));
    pairs.filter_map(header).collect::<HeaderMap>()
}

/// The header of a principal.
pub(crate) fn authorized(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\nAccept: application/json, text/event-stream\r\n")
}

/// The headers of a principal in a session.
pub(crate) fn in_session(token: &str, session: &str) -> String {
    format!("{}Mcp-Session-Id: {session}\r\n", authorized(token))
}

/// Fails on another status.
pub(crate) fn expect(status: u16, wanted: u16, told: &str) -> Outcome {
    if status == wanted {
        return Ok(());
    }
    Err(format!("status {status} in place of {wanted}: {told}").into())
}
