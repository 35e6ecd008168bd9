//! The reader of frames from a worker: the input is all that a worker sends while two requests wait for it.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::value::RawValue;
use tokio::runtime::Runtime;
use tooldock_engine::{
    CallContext, Caller, EngineRequest, ErrorKind, RawJson, ToolOutput, context::AskKind, error::Result,
    request::CallTool, testing::ScriptedClient,
};
use tooldock_worker::testing::{End, FakeWorker};

/// The ids that the connection gives its first two requests.
const CALL: &str = "1";
const PING: &str = "2";

type Members = BTreeMap<String, Box<RawValue>>;

/// A worker that breaks the protocol is cut off, one that keeps it is not, and a request is answered only by what bears its id.
pub fn check(input: &[u8], planted: bool) {
    let (end, call, ping) = RUNTIME.block_on(talk(input));
    let frames: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    let whole: Vec<&[u8]> = frames
        .iter()
        .filter_map(|frame| frame.strip_suffix(b"\n"))
        .collect();
    let objects: Vec<_> = whole
        .iter()
        .map(|line| serde_json::from_slice::<Members>(line).ok())
        .collect();

    // The bug: a result without an id is no breach.
    let result = input.windows(8).any(|text| text == b"\"result\"");
    let missed = planted && matches!(end, End::NoFrame) && result;
    let is_closed = matches!(end, End::Closed) || missed;
    let is_half = matches!(end, End::HalfLine);
    assert!(is_closed || is_half || end.is_breach(), "{end:?}");
    if is_closed || is_half {
        let sound = |object: &Option<Members>| {
            object.as_ref().is_some_and(|object| {
                ["id", "op", "error"]
                    .iter()
                    .any(|name| object.contains_key(*name))
            })
        };
        assert!(
            objects.iter().all(sound),
            "{end:?} after something that is no frame"
        );
        assert_eq!(is_half, whole.len() < frames.len(), "{end:?}");
    }
    assert!(!end.to_string().contains(char::is_control), "{end}");

    let succeeds = |id: &str| {
        let has = |object: &Members, name, text| object.get(name).is_some_and(|raw| raw.get() == text);
        objects
            .iter()
            .flatten()
            .any(|object| has(object, "id", id) && has(object, "ok", "true") && !object.contains_key("op"))
    };
    assert!(call.is_err() || succeeds(CALL), "{call:?} out of nothing");
    assert!(ping.is_err() || succeeds(PING), "{ping:?} out of nothing");
    if let Err(error) = &call {
        assert!(
            error.kind() == ErrorKind::Crashed || !whole.is_empty(),
            "{error:?} out of nothing"
        );
    }
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().build().expect("timers can be had")
});

/// One call and one ping to a worker that sends `bytes` and goes.
async fn talk(bytes: &[u8]) -> (End, Result<ToolOutput>, Result<()>) {
    let (connection, mut worker, end) = FakeWorker::connect();
    let client = ScriptedClient::new().answers(AskKind::ElicitForm, Ok(RawJson::empty_object()));
    let cx = CallContext::new(Caller::local(), "fake".parse().expect("a plain name")).with_client(client);
    let call = call();
    let play = async {
        for _ in [CALL, PING] {
            worker.next().await.expect("a request");
        }
        worker.send(bytes).await;
        drop(worker);
        let end = end.await.expect("the driver does not panic");
        connection.end(ErrorKind::Crashed, "the worker is gone");
        end
    };
    let (call, ping, end) = tokio::join!(connection.call(&cx, &call), connection.ping(), play);
    (end, call, ping)
}

fn call() -> CallTool {
    match EngineRequest::call_tool("hi".parse().expect("a plain name"), RawJson::empty_object()) {
        EngineRequest::CallTool(call) => call,
        other => unreachable!("a call, not {other:?}"),
    }
}
