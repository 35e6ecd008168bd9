//! Requests that are answered before their body is read, on a real socket.

use std::time::{Duration, Instant};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tooldock::run::Limits;

use crate::server::{quick, read_all, start};

/// The head of a call of a tool that is not there, which is refused without a look at the body.
fn head(headers: &str) -> String {
    format!(
        "POST /demo/tools/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}\r\n"
    )
}

/// Reads one answer, whose body is JSON, to its end.
async fn answer(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"}") {
        let count = tokio::time::timeout(Duration::from_secs(5), stream.read_buf(&mut bytes));
        assert_ne!(
            count.await.expect("an answer").unwrap(),
            0,
            "the connection is closed"
        );
    }
    String::from_utf8(bytes).unwrap()
}

/// The refusal is there before the body is, and what comes of the body later is not in the way of the next request. The time that a head
/// may take begins with the next one.
#[tokio::test]
async fn s15_a_refusal_leaves_its_connection_as_good_as_it_was() {
    let server = start(quick()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    for _ in 0..3 {
        stream
            .write_all(head("Content-Length: 10\r\n").as_bytes())
            .await
            .unwrap();
        let refusal = answer(&mut stream).await;
        assert!(refusal.starts_with("HTTP/1.1 404"), "{refusal}");
        assert!(!refusal.to_ascii_lowercase().contains("connection:"), "{refusal}");
        stream.write_all(b"{\"a\":").await.unwrap();
        stream.write_all(b" 123}").await.unwrap();
    }
    let begin = Instant::now();
    stream
        .write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await
        .unwrap();
    let text = read_all(&mut stream).await;
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    assert!(
        begin.elapsed() > Duration::from_millis(500),
        "an idle connection stays: {:?}",
        begin.elapsed()
    );
}

/// Several megabytes more than anybody reads: the client finds out why when it has written them, and that nothing more is answered.
#[tokio::test]
async fn s23_a_client_that_is_still_writing_gets_its_refusal() {
    let server = start(Limits::default()).await;
    for (headers, body) in [
        ("Content-Length: 8388608\r\n", "x".repeat(8 << 20)),
        (
            "Transfer-Encoding: chunked\r\n",
            format!("400000\r\n{}\r\n0\r\n\r\n", "x".repeat(4 << 20)),
        ),
    ] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(head(headers).as_bytes()).await.unwrap();
        stream
            .write_all(body.as_bytes())
            .await
            .expect("it can write everything");
        let text = read_all(&mut stream).await;
        let status = if headers.starts_with("Content") { 413 } else { 404 };
        assert!(text.starts_with(&format!("HTTP/1.1 {status}")), "{text}");
        assert!(text.contains("connection: close"), "{text}");
    }
}

/// A body that does not come holds its connection no longer than a head may take, also when the server ends.
#[tokio::test]
async fn s21_what_is_left_of_a_body_is_not_waited_for_long() {
    for ends in [false, true] {
        let server = start(quick()).await;
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let begin = Instant::now();
        stream
            .write_all(head("Content-Length: 10\r\n").as_bytes())
            .await
            .unwrap();
        if ends {
            answer(&mut stream).await;
            server.stop.send(()).unwrap();
        }
        read_all(&mut stream).await;
        let took = begin.elapsed();
        assert!((150..5000).contains(&took.as_millis()), "{took:?}");
    }
}

/// A client that asks before it sends is refused, and is not told to go on.
#[tokio::test]
async fn a_client_that_asks_first_sends_nothing_after_a_refusal() {
    let server = start(Limits::default()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = head("Content-Length: 10\r\nExpect: 100-continue\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let text = read_all(&mut stream).await;
    assert!(text.starts_with("HTTP/1.1 404"), "{text}");
    assert!(
        text.contains("connection: close") && !text.contains("100 Continue"),
        "{text}"
    );
}
