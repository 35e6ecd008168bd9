//! Frames as they come from the worker: one line each, of bounded length.

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::End;

/// Bytes a line from the worker may have: a result may stand twice in it, as content and as structure.
pub(super) const MAX_LINE: usize = 32 << 20;
/// Room that is made before reading.
const CHUNK: usize = 64 << 10;
/// Less room than this is not worth a read.
const SCRAP: usize = 4 << 10;

/// Cuts a byte stream into lines without ever holding more than [`MAX_LINE`] and one read.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    buffer: BytesMut,
    /// Bytes of the buffer that hold no line end.
    seen: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: BytesMut::new(),
            seen: 0,
        }
    }

    /// The next line without its end.
    pub(super) async fn next(&mut self) -> Result<Bytes, End> {
        loop {
            if let Some(place) = memchr::memchr(b'\n', &self.buffer[self.seen..]) {
                let mut line = self.buffer.split_to(self.seen + place + 1);
                line.truncate(self.seen + place);
                self.seen = 0;
                return Ok(line.freeze());
            }
            self.seen = self.buffer.len();
            if self.seen > MAX_LINE {
                return Err(End::TooLong);
            }
            if self.buffer.capacity() - self.seen < SCRAP {
                self.buffer.reserve(CHUNK.max(self.seen));
            }
            match self.reader.read_buf(&mut self.buffer).await {
                Ok(0) if self.buffer.is_empty() => return Err(End::Closed),
                Ok(0) => return Err(End::HalfLine),
                Ok(_) => {}
                Err(error) => return Err(End::Failed(error)),
            }
        }
    }
}
