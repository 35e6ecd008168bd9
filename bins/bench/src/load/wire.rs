//! One connection: bytes out, one answer in. As little work as can be done, since the generator shares the processors.

use std::{io, net::SocketAddr};

use bytes::BytesMut;
use memchr::memmem;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// The end of a head.
const BLANK: &[u8] = b"\r\n\r\n";

/// The end of a body in chunks.
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";

/// A connection and what has arrived on it.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: TcpStream,
    arrived: BytesMut,
}

impl Wire {
    /// Connects to `address`.
    pub(crate) async fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            arrived: BytesMut::with_capacity(64 << 10),
        })
    }

    /// Sends a request and waits for the whole answer; its bytes stay until the next one is sent.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        self.send(request).await?;
        let head = loop {
            match memmem::find(&self.arrived, BLANK) {
                Some(end) => break end + BLANK.len(),
                None => self.read().await?,
            }
        };
        match length(&self.arrived[..head]) {
            Some(length) => {
                self.arrived
                    .reserve((head + length).saturating_sub(self.arrived.len()));
                while self.arrived.len() < head + length {
                    self.read().await?;
                }
            }
            None => {
                while !self.arrived[head - 2..].ends_with(LAST_CHUNK) {
                    self.read().await?;
                }
            }
        }
        let (head, body) = self.arrived.split_at(head);
        Ok(Answer { head, body })
    }

    /// Sends a line and waits for one.
    pub(crate) async fn line(&mut self, request: &[u8]) -> io::Result<&[u8]> {
        self.send(request).await?;
        while self.arrived.last() != Some(&b'\n') {
            self.read().await?;
        }
        Ok(&self.arrived)
    }

    async fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.arrived.clear();
        self.stream.write_all(request).await
    }

    async fn read(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.arrived).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    /// Status line and headers.
    pub(crate) head: &'a [u8],
    /// The body, with the frames of its chunks where it has any.
    pub(crate) body: &'a [u8],
}

impl Answer<'_> {
    /// Whether the status is 2xx.
    pub(crate) fn is_success(&self) -> bool {
        self.head.starts_with(b"HTTP/1.1 2")
    }

    /// The value of a header whose `name` is written in small letters, as every server here does.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(self.head, name)
    }
}

/// How long the body is; none when it comes in chunks.
fn length(head: &[u8]) -> Option<usize> {
    match header(head, "content-length") {
        Some(length) => length.parse().ok(),
        None if header(head, "transfer-encoding").is_some() => None,
        None => Some(0),
    }
}

fn header<'a>(head: &'a [u8], name: &str) -> Option<&'a str> {
    let text = std::str::from_utf8(head).ok()?;
    let line = |line: &'a str| line.strip_prefix(name)?.strip_prefix(": ");
    text.split("\r\n").find_map(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_tells_how_the_body_ends() {
        assert_eq!(length(b"HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n"), Some(12));
        assert_eq!(
            length(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"),
            None
        );
        assert_eq!(length(b"HTTP/1.1 202 Accepted\r\n\r\n"), Some(0));
    }

    #[tokio::test]
    async fn an_answer_in_chunks_ends_with_its_last_chunk() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut wire = Wire::connect(listener.local_addr().unwrap()).await.unwrap();
        let (mut server, _) = listener.accept().await.unwrap();
        let served = async {
            let mut request = [0; 4];
            server.read_exact(&mut request).await.unwrap();
            for part in [
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel",
                "lo\r\n0\r\n",
                "\r\n",
            ] {
                server.write_all(part.as_bytes()).await.unwrap();
            }
            assert_eq!(&request, b"ping");
        };
        let (answer, ()) = tokio::join!(wire.exchange(b"ping"), served);
        let answer = answer.unwrap();
        assert!(answer.is_success());
        assert_eq!(answer.body, b"5\r\nhello\r\n0\r\n\r\n");
    }
}
