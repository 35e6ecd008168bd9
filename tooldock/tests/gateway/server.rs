//! The server on a real socket: timers, and an end without a lost answer.

use std::time::{Duration, Instant};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};
use tooldock::{
    Gateway, StaticEngine, Tool, ToolOutput,
    http::Bearer,
    run::{Limits, serve},
};

pub(crate) struct Server {
    pub(crate) address: std::net::SocketAddr,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) task: tokio::task::JoinHandle<()>,
}

pub(crate) async fn start(limits: Limits) -> Server {
    let slow = async |_cx, _arguments| {
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok(ToolOutput::text("done"))
    };
    let engine = StaticEngine::builder()
        .tool(Tool::new("slow".parse().unwrap()), slow)
        .tool(Tool::new("large".parse().unwrap()), async |_cx, _arguments| {
            Ok(ToolOutput::text(&"x".repeat(32 << 20)))
        })
        .build()
        .unwrap();
    let gateway = Gateway::builder()
        .namespace("demo", engine)
        .bearer(Bearer::anonymous())
        .build()
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(serve(listener, gateway.into_service(), limits, async {
        stopped.await.unwrap_or_default();
    }));
    Server { address, stop, task }
}

pub(crate) fn quick() -> Limits {
    let mut limits = Limits::default();
    limits.header = Duration::from_millis(200);
    limits.idle = Duration::from_millis(600);
    limits
}

/// Reads until the peer closes, for at most five seconds.
pub(crate) async fn read_all(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    tokio::time::timeout(Duration::from_secs(5), stream.read_to_string(&mut text))
        .await
        .expect("the connection is closed")
        .unwrap();
    text
}

#[tokio::test]
async fn s21_a_head_that_drips_is_closed_in_time() {
    let server = start(quick()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let begin = Instant::now();
    stream
        .write_all(b"GET /health HTTP/1.1\r\nHost: local")
        .await
        .unwrap();
    assert_eq!(read_all(&mut stream).await, "");
    assert!(
        (150..550).contains(&begin.elapsed().as_millis()),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test]
async fn s21_an_idle_connection_is_closed_later_than_a_dripping_one() {
    let server = start(quick()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream
        .write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await
        .unwrap();
    let begin = Instant::now();
    let text = read_all(&mut stream).await;
    assert!(
        text.starts_with("HTTP/1.1 200") && begin.elapsed() > Duration::from_millis(500),
        "{text} {:?}",
        begin.elapsed()
    );
}

#[tokio::test]
async fn a_slow_answer_is_neither_idle_nor_a_slow_head() {
    let server = start(quick()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let call = "POST /demo/tools/slow HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    stream.write_all(call.as_bytes()).await.unwrap();
    let text = read_all(&mut stream).await;
    assert!(
        text.starts_with("HTTP/1.1 200") && text.ends_with("\"done\""),
        "{text}"
    );
}

/// More than the buffers of two sockets hold is written to a client that reads nothing; what it finds later is not all.
#[tokio::test]
async fn s36_a_client_that_takes_nothing_is_left() {
    let mut limits = Limits::default();
    limits.write = Duration::from_millis(200);
    let server = start(limits).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let call = "POST /demo/tools/large HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    stream.write_all(call.as_bytes()).await.unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    server.stop.send(()).unwrap();
    // The end of the server waits for its connections, and so for this one to be left.
    tokio::time::timeout(Duration::from_secs(10), server.task)
        .await
        .expect("the server ends before its time to drain")
        .unwrap();
    let mut taken = Vec::new();
    stream.read_to_end(&mut taken).await.ok();
    assert!(taken.len() < 32 << 20, "{}", taken.len());
}

/// Asks for a large answer, of which only the first bytes are read.
async fn ask_large(server: &Server) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let call = "POST /demo/tools/large HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
    stream.write_all(call.as_bytes()).await.unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    stream
}

/// One answer is more than may wait.
fn crowded() -> Limits {
    let mut limits = Limits::default();
    limits.answer_bytes = 16 << 20;
    limits
}

/// Who reads gets his; those who do not are left long before they have taken nothing for too long.
#[tokio::test]
async fn s36_of_too_much_that_nobody_takes_those_who_stand_still_are_left() {
    let server = start(crowded()).await;
    let still = [ask_large(&server).await, ask_large(&server).await];
    let text = read_all(&mut ask_large(&server).await).await;
    assert!(text.len() > 32 << 20, "{}", text.len());
    for mut stream in still {
        // Once the buffers of the sockets are full, this waits until the other side is closed.
        let writing = async { while stream.write_all(&[0; 4096]).await.is_ok() {} };
        tokio::time::timeout(Duration::from_secs(10), writing)
            .await
            .expect("the client is left before the time of a write");
    }
}

#[tokio::test]
async fn s36_whoever_stands_still_is_left_while_the_server_ends_as_well() {
    let server = start(crowded()).await;
    let mut still = ask_large(&server).await;
    server.stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(10), server.task)
        .await
        .expect("the server ends before its time to drain, and before the time of a write")
        .unwrap();
    let mut taken = Vec::new();
    still.read_to_end(&mut taken).await.ok();
    assert!(taken.len() < 32 << 20, "{}", taken.len());
}

#[tokio::test]
async fn r8_an_end_answers_what_runs_and_accepts_nothing_more() {
    let server = start(Limits::default()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let call = "POST /demo/tools/slow HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    stream.write_all(call.as_bytes()).await.unwrap();
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    idle.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await
        .unwrap();
    let mut first = [0; 12];
    idle.read_exact(&mut first).await.unwrap();
    server.stop.send(()).unwrap();
    let text = read_all(&mut stream).await;
    assert!(
        text.starts_with("HTTP/1.1 200") && text.ends_with("\"done\""),
        "{text}"
    );
    tokio::time::timeout(Duration::from_secs(5), server.task)
        .await
        .expect("the server ends")
        .unwrap();
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn s22_a_head_with_too_many_headers_is_431() {
    let server = start(Limits::default()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let headers: String = (0..200).map(|i| format!("X-{i}: 1\r\n")).collect();
    stream
        .write_all(format!("GET /health HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n").as_bytes())
        .await
        .unwrap();
    let text = read_all(&mut stream).await;
    assert!(text.starts_with("HTTP/1.1 431"), "{text}");
}

#[tokio::test]
async fn an_answer_of_known_length_says_so() {
    let server = start(Limits::default()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream
        .write_all(b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    let text = read_all(&mut stream).await;
    assert!(
        text.starts_with("HTTP/1.1 404") && text.contains("content-length:"),
        "{text}"
    );
}

#[tokio::test]
async fn s22_a_head_that_is_too_long_is_431() {
    let server = start(Limits::default()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let long = "x".repeat(17 << 10);
    let head = format!("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: {long}\r\n\r\n");
    // The server may close before it has read everything.
    stream.write_all(head.as_bytes()).await.ok();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 431");
}

/// Of a request that two readers could end at different places nothing is answered that the second of them would find in it.
#[tokio::test]
async fn s24_ambiguous_framing_ends_the_connection() {
    let server = start(Limits::default()).await;
    let smuggled = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let length = format!("Content-Length: {}\r\n", smuggled.len() + 5);
    let chunked = "Transfer-Encoding: chunked\r\n";
    for (headers, statuses) in [
        (format!("{length}{chunked}"), ["HTTP/1.1 404", "HTTP/1.1 400"]),
        (format!("{chunked}{length}"), ["HTTP/1.1 404", "HTTP/1.1 400"]),
        (format!("{length}Content-Length: 0\r\n"), ["HTTP/1.1 400"; 2]),
        ("Content-Length: +5\r\n".to_owned(), ["HTTP/1.1 400"; 2]),
        (
            format!("{chunked}Transfer-Encoding: identity\r\n"),
            ["HTTP/1.1 400"; 2],
        ),
        (
            "X-Namespace: a\r\nX-Namespace: b\r\n".to_owned(),
            ["HTTP/1.1 400"; 2],
        ),
        (
            "Content-Type: a/b\r\nContent-Type: a/b\r\n".to_owned(),
            ["HTTP/1.1 400"; 2],
        ),
        (
            "Mcp-Session-Id: a\r\nMcp-Session-Id: a\r\n".to_owned(),
            ["HTTP/1.1 400"; 2],
        ),
        (
            "MCP-Protocol-Version: a\r\nMCP-Protocol-Version: a\r\n".to_owned(),
            ["HTTP/1.1 400"; 2],
        ),
    ] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let request =
            format!("POST /none/tools/x HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n0\r\n\r\n{smuggled}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut bytes))
            .await
            .expect("the connection is closed")
            .ok();
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            statuses.iter().any(|status| text.starts_with(status)),
            "{headers}: {text}"
        );
        assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "{headers}: {text}");
    }
}

#[tokio::test]
async fn s28_idle_connections_make_room() {
    let mut limits = Limits::default();
    limits.connections = 4;
    let server = start(limits).await;
    let mut silent = Vec::new();
    for _ in 0..4 {
        silent.push(TcpStream::connect(server.address).await.unwrap());
    }
    let asking = async {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream
            .write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .await
            .unwrap();
        read_all(&mut stream).await
    };
    let text = tokio::time::timeout(Duration::from_secs(10), asking)
        .await
        .expect("there is room");
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
}
