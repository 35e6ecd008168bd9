//! One connection, however it came.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpStream, UnixStream},
};
#[cfg(feature = "tls")]
use tokio_rustls::{TlsAcceptor, server::TlsStream};

#[cfg(feature = "tls")]
use super::Certificate;

/// What has to be agreed on before a connection carries anything.
#[derive(Clone, Default)]
pub(super) struct Handshake {
    #[cfg(feature = "tls")]
    tls: Option<TlsAcceptor>,
}

impl std::fmt::Debug for Handshake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Handshake")
    }
}

impl Handshake {
    #[cfg(feature = "tls")]
    pub(super) fn of(certificate: &Certificate) -> Self {
        Self {
            tls: Some(certificate.acceptor()),
        }
    }

    /// Agrees on it.
    pub(super) async fn agree(&self, stream: Stream) -> io::Result<Stream> {
        let Stream::Tcp(stream) = stream else {
            return Ok(stream);
        };
        stream.set_nodelay(true)?;
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            return Ok(Stream::Tls(Box::new(tls.accept(stream).await?)));
        }
        Ok(Stream::Tcp(stream))
    }
}

/// A connection.
#[derive(Debug)]
pub(super) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
    #[cfg(feature = "tls")]
    Tls(Box<TlsStream<TcpStream>>),
}

/// Does the same with whichever it is.
macro_rules! each {
    ($stream:expr, $inner:ident => $does:expr) => {
        match $stream {
            Stream::Tcp($inner) => $does,
            Stream::Unix($inner) => $does,
            #[cfg(feature = "tls")]
            Stream::Tls($inner) => $does,
        }
    };
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        each!(self.get_mut(), inner => Pin::new(inner).poll_read(cx, buffer))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        each!(self.get_mut(), inner => Pin::new(inner).poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        each!(self.get_mut(), inner => Pin::new(inner).poll_write_vectored(cx, parts))
    }

    fn is_write_vectored(&self) -> bool {
        each!(self, inner => inner.is_write_vectored())
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        each!(self.get_mut(), inner => Pin::new(inner).poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        each!(self.get_mut(), inner => Pin::new(inner).poll_shutdown(cx))
    }
}
