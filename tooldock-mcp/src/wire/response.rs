//! Writing messages.

use tooldock_engine::{RawJson, json::ObjectWriter};

use super::MessageId;

/// A response that carries a result; `room` is how many bytes the result may need.
pub(crate) fn write_result(id: &MessageId, room: usize, result: impl FnOnce(&mut ObjectWriter)) -> RawJson {
    let mut out = ObjectWriter::with_capacity(room + 128);
    out.string("jsonrpc", "2.0")
        .raw("id", id.as_json())
        .object("result", result);
    out.finish()
}

/// A response that carries an error. Without an id, `id` is null.
pub(crate) fn write_error(
    id: Option<&MessageId>,
    code: i32,
    message: &str,
    data: Option<&RawJson>,
) -> RawJson {
    let null = RawJson::null();
    let mut out = ObjectWriter::new();
    out.string("jsonrpc", "2.0")
        .raw("id", id.map_or(&null, MessageId::as_json));
    out.object("error", |error| {
        error
            .number("code", code)
            .string("message", message)
            .maybe("data", data);
    });
    out.finish()
}

/// A request of the server.
pub(crate) fn write_request(id: &MessageId, method: &str, params: &RawJson) -> RawJson {
    let mut out = ObjectWriter::with_capacity(params.len() + 128);
    out.string("jsonrpc", "2.0")
        .raw("id", id.as_json())
        .string("method", method)
        .raw("params", params);
    out.finish()
}

/// A notification.
pub(crate) fn write_notification(method: &str, params: impl FnOnce(&mut ObjectWriter)) -> RawJson {
    let mut out = ObjectWriter::new();
    out.string("jsonrpc", "2.0")
        .string("method", method)
        .object("params", params);
    out.finish()
}
