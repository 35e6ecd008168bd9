//! Sockets of every kind: files, those of others, with TLS.

use std::os::fd::OwnedFd;

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpStream, UnixStream},
};
use tooldock::{
    Gateway,
    http::Bearer,
    run::{Address, Limits, Listener},
};

fn gateway() -> Gateway {
    Gateway::builder().bearer(Bearer::anonymous()).build().unwrap()
}

/// Asks on a connection that stays, and gives the head of the answer.
pub(crate) async fn ask(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> String {
    let request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"}") {
        stream.read_exact(&mut byte).await.unwrap();
        head.push(byte[0]);
    }
    String::from_utf8(head).unwrap()
}

#[tokio::test]
async fn a_socket_of_this_machine_is_served_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gateway.sock");
    let listener = Listener::from(tokio::net::UnixListener::bind(&path).unwrap());
    assert_eq!(listener.address().unwrap(), Address::Unix(Some(path.clone())));
    let gateway = gateway();
    let client = async {
        let mut stream = UnixStream::connect(&path).await.unwrap();
        for _ in 0..2 {
            assert!(ask(&mut stream).await.starts_with("HTTP/1.1 200"));
        }
        let nowhere = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\nGET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(nowhere).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        for line in [
            "tooldock_connections 1",
            "tooldock_connections_accepted_total 1",
            "tooldock_http_refusals_total{status=\"404\"} 1",
        ] {
            assert!(text.lines().any(|told| told == line), "{line}: {text}");
        }
    };
    tokio::select! {
        () = gateway.serve(listener, Limits::default(), std::future::pending()) => {}
        () = client => {}
    }
}

#[tokio::test]
async fn a_socket_that_somebody_else_has_opened_is_taken_over() {
    let opened = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = opened.local_addr().unwrap();
    let listener = Listener::adopt(OwnedFd::from(opened)).unwrap();
    assert_eq!(listener.address().unwrap().to_string(), address.to_string());
    let gateway = gateway();
    let client = async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        assert!(ask(&mut stream).await.starts_with("HTTP/1.1 200"));
    };
    tokio::select! {
        () = gateway.serve(listener, Limits::default(), std::future::pending()) => {}
        () = client => {}
    }
    let datagrams = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let file = std::fs::File::open("/dev/null").unwrap();
    for wrong in [OwnedFd::from(datagrams), OwnedFd::from(file)] {
        assert!(Listener::adopt(wrong).is_err());
    }
}
