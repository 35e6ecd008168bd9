//! Event streams.

use std::{convert::Infallible, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _};
use http::Response;
use tokio::time::timeout;
use tooldock_engine::RawJson;

use super::response::events;
use crate::connection::ReplyStream;

/// What a client ignores; it keeps proxies from closing a stream that is silent.
const COMMENT: &[u8] = b": still there\n\n";

/// An event stream of `messages`; after `keep_alive` of silence it carries a comment, and at once if no message is ready, so that the
/// client sees it open.
pub(super) fn respond(messages: ReplyStream, keep_alive: Duration) -> Response<Body> {
    let frames = stream::unfold(
        (messages, Duration::ZERO),
        move |(mut messages, patience)| async move {
            let frame = match timeout(patience, messages.next()).await {
                Ok(message) => event(&message?),
                Err(_) => Bytes::from_static(COMMENT),
            };
            Some((Ok::<_, Infallible>(frame), (messages, keep_alive)))
        },
    );
    events(Body::from_stream(frames))
}

/// One event. Its data is one line: a line break can only stand between two tokens of the message, where a blank does as well.
fn event(message: &RawJson) -> Bytes {
    const NAME: &[u8] = b"event: message\ndata: ";
    let mut out = Vec::with_capacity(NAME.len() + message.len() + 2);
    out.extend_from_slice(NAME);
    out.extend(message.as_bytes().iter().map(|byte| {
        if matches!(byte, b'\n' | b'\r') {
            b' '
        } else {
            *byte
        }
    }));
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
        let event = event(&json);
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
