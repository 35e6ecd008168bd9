//! Messages that are lines: read within a bound, and written.

use std::io;

use bytes::Bytes;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader},
    sync::mpsc,
};
use tooldock_engine::RawJson;

use crate::wire::extend_line;

/// One line, or the fact that it was none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// The line without its end.
    Text(Bytes),
    /// A line that was longer than the bound; it was skipped, and reading goes on behind it.
    TooLong,
}

/// The lines of a byte stream. Blank ones are skipped; the last one needs no line end.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    limit: usize,
    too_long: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines of at most `limit` bytes.
    pub(crate) fn new(reader: R, limit: usize) -> Self {
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            limit,
            too_long: false,
        }
    }

    /// The next line; nothing at the end of the stream.
    ///
    /// # Cancel safety
    /// Safe: what was read of a line is kept.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            let read = self.reader.fill_buf().await?;
            let end = memchr::memchr(b'\n', read);
            let (part, last) = (&read[..end.unwrap_or(read.len())], read.is_empty());
            let used = part.len() + usize::from(end.is_some());
            self.too_long |= self.line.len() + part.len() > self.limit;
            if self.too_long {
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            self.reader.consume(used);
            if end.is_none() && !last {
                continue;
            }
            let line = std::mem::take(&mut self.line);
            if std::mem::take(&mut self.too_long) {
                return Ok(Some(Frame::TooLong));
            }
            if !line.trim_ascii().is_empty() {
                return Ok(Some(Frame::Text(line.into())));
            }
            if last {
                return Ok(None);
            }
        }
    }
}

/// Writes messages, a line each, until there are no more.
pub(crate) async fn write_lines(
    mut writer: impl AsyncWrite + Unpin,
    mut messages: mpsc::Receiver<RawJson>,
) -> io::Result<()> {
    let mut line = Vec::new();
    while let Some(message) = messages.recv().await {
        line.clear();
        extend_line(&mut line, message.as_bytes());
        line.push(b'\n');
        writer.write_all(&line).await?;
        if messages.is_empty() {
            writer.flush().await?;
        }
    }
    writer.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn frames(text: &[u8], limit: usize) -> Vec<Frame> {
        let mut lines = Lines::new(text, limit);
        let mut frames = Vec::new();
        while let Some(frame) = lines.next().await.unwrap() {
            frames.push(frame);
        }
        frames
    }

    #[tokio::test]
    async fn lines_are_frames_whatever_ends_them() {
        let text = |text: &'static str| Frame::Text(text.into());
        assert_eq!(
            frames(b"\n{}\r\n  \n[]\nlast", 10).await,
            [text("{}\r"), text("[]"), text("last")]
        );
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_skipped_and_costs_no_memory() {
        let long = "x".repeat(100_000);
        let text = format!("12345\n{long}\n123456\n1234");
        let text: &'static str = text.leak();
        assert_eq!(
            frames(text.as_bytes(), 5).await,
            [
                Frame::Text("12345".into()),
                Frame::TooLong,
                Frame::TooLong,
                Frame::Text("1234".into())
            ]
        );
        let mut lines = Lines::new(text.as_bytes(), 5);
        while lines.next().await.unwrap().is_some() {
            assert!(lines.line.capacity() <= 16_384);
        }
    }
}
