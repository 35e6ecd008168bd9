//! Many clients at once: slow ones, idle ones, and all of them coming back.

use std::time::{Duration, Instant};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::oneshot,
    task::JoinSet,
};
use tooldock::{Gateway, StaticEngine, Tool, ToolOutput, http::Bearer, run::Limits};

use crate::server::{Server, quick, start};

const CALL: &str = "POST /demo/tools/now HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

/// The slowest of so many requests, one after the other.
async fn slowest(server: &Server, count: usize) -> Duration {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let mut worst = Duration::ZERO;
    for _ in 0..count {
        let begin = Instant::now();
        let request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut byte = [0];
        while byte != *b"}" {
            stream.read_exact(&mut byte).await.unwrap();
        }
        worst = worst.max(begin.elapsed());
    }
    worst
}

#[tokio::test]
async fn s21_five_hundred_slow_clients_are_closed_and_cost_the_others_nothing() {
    const MUCH_LATER: Duration = Duration::from_secs(10);
    let mut limits = quick();
    limits.header = Duration::from_secs(2);
    // No other timer closes them.
    limits.idle = MUCH_LATER * 6;
    let server = start(limits).await;
    let alone = slowest(&server, 100).await;
    let mut slow = JoinSet::new();
    for _ in 0..500 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        slow.spawn(async move {
            let begin = Instant::now();
            for byte in b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: yes"
                .iter()
                .cycle()
            {
                let dripped = stream.write_all(&[*byte]).await;
                let closed = tokio::time::timeout(Duration::from_millis(100), stream.read(&mut [0; 8])).await;
                if dripped.is_err() || closed.is_ok() || begin.elapsed() >= MUCH_LATER {
                    break;
                }
            }
            begin.elapsed()
        });
    }
    let beside = slowest(&server, 100).await;
    // A machine that does other things as well has its pauses; a server that waits for a slow client takes seconds.
    assert!(
        beside < alone + Duration::from_millis(500),
        "{alone:?} alone, {beside:?} beside them"
    );
    while let Some(lasted) = slow.join_next().await {
        let lasted = lasted.unwrap();
        assert!(lasted < MUCH_LATER, "{lasted:?}");
    }
}

/// A gateway with one namespace, and how it is ended.
struct Home {
    address: std::net::SocketAddr,
    _stop: oneshot::Sender<()>,
}

async fn home() -> Home {
    let engine = StaticEngine::builder()
        .tool(Tool::new("now".parse().unwrap()), async |_cx, _| {
            Ok(ToolOutput::text("now"))
        })
        .build()
        .unwrap();
    let gateway = Gateway::builder()
        .namespace("demo", engine)
        .bearer(Bearer::anonymous())
        .build()
        .unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(async move {
        let stopped = async { stopped.await.unwrap_or_default() };
        gateway.serve(listener, Limits::default(), stopped).await;
    });
    Home { address, _stop: stop }
}

/// Reads until `words` have come, and gives all of it.
async fn read_until(stream: &mut TcpStream, words: &str) -> String {
    let mut text = String::new();
    while !text.contains(words) {
        let mut part = [0; 4096];
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut part));
        let count = read.await.expect("more comes in time").unwrap();
        assert!(count > 0, "it ended without `{words}`: {text}");
        text += std::str::from_utf8(&part[..count]).unwrap();
    }
    text
}

/// Begins a session, and gives its id.
async fn begin(home: &Home) -> String {
    let mut stream = TcpStream::connect(home.address).await.unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
    let head = format!(
        "POST /demo/mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .await
        .unwrap();
    let text = read_until(&mut stream, "serverInfo").await.to_ascii_lowercase();
    let (_, rest) = text.split_once("mcp-session-id: ").expect("a session");
    rest.split("\r\n").next().unwrap().to_owned()
}

/// Opens the stream of a session, and waits for its first bytes.
async fn listen(home: &Home, session: &str) -> TcpStream {
    let mut stream = TcpStream::connect(home.address).await.unwrap();
    let request = format!(
        "GET /demo/mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let text = read_until(&mut stream, "\r\n\r\n").await;
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    stream
}

/// R17, as far as a test for every day goes: many idle streams are carried beside calls. The whole figure is L6 of the crowd.
#[tokio::test]
async fn r17_idle_streams_are_carried_beside_calls() {
    let home = home().await;
    let mut streams = Vec::new();
    for _ in 0..300 {
        let session = begin(&home).await;
        streams.push(listen(&home, &session).await);
    }
    let mut caller = TcpStream::connect(home.address).await.unwrap();
    for _ in 0..20 {
        caller.write_all(CALL.as_bytes()).await.unwrap();
        let text = read_until(&mut caller, "\"now\"").await;
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    }
    for stream in &streams {
        let read = stream.try_read(&mut [0; 8192]);
        assert!(!matches!(read, Ok(0)), "an idle stream has ended");
    }
}

/// R18: all clients lose their connections at once and come back at once; each is served again within 10 s, in its session.
#[tokio::test]
async fn r18_a_storm_of_clients_that_come_back_is_served() {
    let home = home().await;
    let mut sessions = Vec::new();
    for _ in 0..300 {
        let session = begin(&home).await;
        let stream = listen(&home, &session).await;
        sessions.push((session, stream));
    }
    let sessions: Vec<String> = sessions.into_iter().map(|(session, _)| session).collect();
    let begin = Instant::now();
    let back = sessions.iter().map(|session| listen(&home, session));
    let streams = tokio::time::timeout(Duration::from_secs(10), futures_util::future::join_all(back)).await;
    assert_eq!(streams.expect("all are back").len(), 300, "{:?}", begin.elapsed());
}
