//! A connection that sends one request again and again, and times at which that is due.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tooldock_tests::Gateway;

/// One request, ready to be sent: what a caller costs should not be what is measured.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    address: String,
    bytes: Vec<u8>,
}

impl Request {
    /// `POST path` with this body.
    fn post(gateway: &Gateway, path: &str, headers: &str, body: &Value) -> Self {
        let (address, body) = (gateway.base_url().trim_start_matches("http://"), body.to_string());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n",
            gateway.token(),
            body.len()
        );
        Self {
            address: address.to_owned(),
            bytes: (head + &body).into_bytes(),
        }
    }

    /// A call over REST.
    pub(crate) fn rest(gateway: &Gateway, namespace: &str, tool: &str, arguments: &Value) -> Self {
        Self::post(gateway, &format!("/{namespace}/tools/{tool}"), "", arguments)
    }

    /// A call over MCP, in the revision that has no sessions.
    pub(crate) fn mcp(gateway: &Gateway, namespace: &str, tool: &str, arguments: &Value) -> Self {
        let headers = format!(
            "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
        );
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        Self::post(gateway, &format!("/{namespace}/mcp"), &headers, &body)
    }

    /// Sends it on a connection of its own and waits for nothing: the call runs until the stream is dropped.
    pub(crate) fn leave(&self) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(&self.bytes).unwrap();
        stream
    }
}

/// A connection that is kept.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    request: &'a Request,
    stream: BufReader<TcpStream>,
}

impl<'a> Line<'a> {
    pub(crate) fn open(request: &'a Request) -> Self {
        let stream = TcpStream::connect(&request.address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            request,
            stream: BufReader::new(stream),
        }
    }

    /// Sends the request and gives status and body of the answer.
    pub(crate) fn call(&mut self) -> (u16, Vec<u8>) {
        self.stream.get_mut().write_all(&self.request.bytes).unwrap();
        let (mut line, mut length) = (String::new(), 0);
        self.stream.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).unwrap().parse().unwrap();
        while line.trim_end() != "" {
            line.clear();
            self.stream.read_line(&mut line).unwrap();
            if let Some((name, value)) = line.split_once(": ")
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim_end().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        (status, body)
    }
}

/// What callers saw: each status with how long it took from the moment at which the call was due.
#[derive(Debug, Default)]
pub(crate) struct Seen(Vec<(u16, Duration)>);

impl Seen {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Those with a status that is one of `wanted`, or those whose is not.
    pub(crate) fn with(&self, wanted: impl Fn(u16) -> bool) -> Self {
        Self(
            self.0
                .iter()
                .copied()
                .filter(|(status, _)| wanted(*status))
                .collect(),
        )
    }

    /// What so many of a hundred stay below.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut took: Vec<Duration> = self.0.iter().map(|(_, took)| *took).collect();
        took.sort_unstable();
        took.get((took.len() * percent / 100).min(took.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    }
}

/// Calls on `lines` connections, each of them as soon as the one before is answered; how many a second.
pub(crate) fn closed_loop(request: &Request, lines: usize, time: Duration) -> f64 {
    let (begin, seen) = (Instant::now(), Mutex::new(0));
    thread::scope(|scope| {
        for _ in 0..lines {
            scope.spawn(|| {
                let (mut line, mut count) = (Line::open(request), 0);
                while begin.elapsed() < time {
                    assert_eq!(line.call().0, 200);
                    count += 1;
                }
                *seen.lock().unwrap() += count;
            });
        }
    });
    f64::from(seen.into_inner().unwrap()) / begin.elapsed().as_secs_f64()
}

/// Calls at an even pace, due whether those before are answered or not: one that is late is late from when it was due. Each is made on
/// one of `lines` connections that waits for nothing; there should be more of them than calls that can be in flight.
/// `judge` looks at each answer.
pub(crate) fn open_loop(
    request: &Request,
    lines: usize,
    rate: f64,
    time: Duration,
    judge: impl Fn(u16, &[u8]) + Sync,
) -> Seen {
    let lines: Vec<Line<'_>> = (0..lines).map(|_| Line::open(request)).collect();
    let (made, seen) = (AtomicU32::new(0), Mutex::new(Seen::default()));
    let (apart, begin) = (Duration::from_secs_f64(1.0 / rate), Instant::now());
    let call_in_turn = |mut line: Line<'_>| {
        let mut own = Vec::new();
        loop {
            let due = apart * made.fetch_add(1, Ordering::Relaxed);
            if due >= time {
                return seen.lock().unwrap().0.append(&mut own);
            }
            thread::park_timeout(due.saturating_sub(begin.elapsed()));
            let (status, body) = line.call();
            own.push((status, begin.elapsed() - due));
            judge(status, &body);
        }
    };
    thread::scope(|scope| {
        for line in lines {
            scope.spawn(|| call_in_turn(line));
        }
    });
    seen.into_inner().unwrap()
}
