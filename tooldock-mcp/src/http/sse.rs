//! Event streams.

use std::{convert::Infallible, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt as _};
use http::Response;
use tokio::time::timeout;
use tooldock_engine::RawJson;

use super::response::events;
use crate::{
    stream::{Event, EventId},
    wire::extend_line,
};

/// What a client ignores; it keeps proxies from closing a stream that is silent.
const COMMENT: &[u8] = b": still there\n\n";

/// An event stream of `frames`; after `keep_alive` of silence it carries a comment, and at once if no frame is ready, so that the
/// client sees it open.
pub(crate) fn respond(
    frames: impl Stream<Item = Bytes> + Send + 'static,
    keep_alive: Duration,
) -> Response<Body> {
    let frames = stream::unfold(
        (frames.boxed(), Duration::ZERO),
        move |(mut frames, patience)| async move {
            let frame = match timeout(patience, frames.next()).await {
                Ok(frame) => frame?,
                Err(_) => Bytes::from_static(COMMENT),
            };
            Some((Ok::<_, Infallible>(frame), (frames, keep_alive)))
        },
    );
    events(Body::from_stream(frames))
}

/// A message without an id.
pub(crate) fn message(message: &RawJson) -> Bytes {
    frame("event: message\n", message.as_bytes())
}

/// A message that a client can name when it comes back.
pub(super) fn event(event: &Event) -> Bytes {
    frame(
        &format!("event: message\nid: {}\n", event.id),
        event.message.as_bytes(),
    )
}

/// An event that gives the client an id before anything has happened, and says when to come back.
pub(super) fn priming(id: EventId, retry: Duration) -> Bytes {
    frame(&format!("id: {id}\nretry: {}\n", retry.as_millis()), b"")
}

/// An event that is no message.
pub(crate) fn named(name: &str, data: &str) -> Bytes {
    frame(&format!("event: {name}\n"), data.as_bytes())
}

/// One event. Its data is one line.
fn frame(head: &str, data: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(head.len() + data.len() + 8);
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(b"data: ");
    extend_line(&mut out, data);
    out.extend_from_slice(b"\n\n");
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s35_an_event_is_one_line_of_json() {
        let json = RawJson::scan(
            "{\"a\":\r\n\"data: x\\n\u{2028}\"\n}",
            tooldock_engine::json::ScanLimits::MESSAGE,
        )
        .unwrap();
        let event = message(&json);
        let text = std::str::from_utf8(&event).unwrap();
        let data = text
            .strip_prefix("event: message\ndata: ")
            .and_then(|rest| rest.strip_suffix("\n\n"))
            .unwrap();
        assert!(!data.contains(['\n', '\r']));
        let read: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(read["a"], "data: x\n\u{2028}");
    }
}
