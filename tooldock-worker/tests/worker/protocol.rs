//! A scripted worker that misbehaves: nothing hangs, nothing is mixed up, a broken frame ends the connection.

use serde_json::Value;
use tooldock_engine::{
    CallContext, EngineError, EngineRequest, ErrorKind, RawJson, ToolOutput, error::Result, request::CallTool,
};
use tooldock_worker::testing::{Connection, End, FakeWorker};

use crate::{process::soon, shop::cx};

pub(crate) const OUTPUT: &str = r#"{"content":[{"type":"text","text":"ok"}],"isError":false}"#;

pub(crate) fn request(tool: &str, arguments: &str) -> CallTool {
    let arguments = RawJson::scan(arguments.to_owned(), tooldock_engine::json::ScanLimits::MESSAGE).unwrap();
    match EngineRequest::call_tool(tool.parse().unwrap(), arguments) {
        EngineRequest::CallTool(call) => call,
        _ => unreachable!("it was made as a call"),
    }
}

/// What is sent, and the end it must lead to.
type Case<'a> = (&'a str, &'a [u8], fn(&End) -> bool);

/// One call against what `play` does.
async fn exchange(play: impl AsyncFnOnce(&mut FakeWorker, Value)) -> (Result<ToolOutput>, Option<End>) {
    let (connection, mut worker, end) = FakeWorker::connect();
    let call = request("echo", "{}");
    let context = cx();
    let script = async {
        let frame = worker.next().await.unwrap();
        play(&mut worker, frame).await;
        drop(worker);
        let end = soon(end).await.unwrap();
        connection.end(ErrorKind::Crashed, &format!("the worker {end}"));
        end
    };
    let (output, end) = soon(async { tokio::join!(connection.call(&context, &call), script) }).await;
    (output, Some(end))
}

/// Each of these ends the connection, and the open call gets a clean error.
#[tokio::test]
async fn r5_broken_frames_end_the_connection_and_its_calls() {
    let huge = vec![b'x'; 33 << 20];
    let cases: [Case<'_>; 11] = [
        ("garbage", b"%!$\n", |end| matches!(end, End::Garbage(_))),
        ("no UTF-8", b"{\"id\":\"\xff\"}\n", |end| {
            matches!(end, End::Garbage(_))
        }),
        ("two values", b"{} {}\n", |end| matches!(end, End::Garbage(_))),
        ("an array", b"[]\n", |end| matches!(end, End::NoFrame)),
        ("a number", b"7\n", |end| matches!(end, End::NoFrame)),
        ("nothing inside", b"{}\n", |end| matches!(end, End::NoFrame)),
        ("a response to nothing", b"{\"id\":null,\"ok\":true}\n", |end| {
            matches!(end, End::NoFrame)
        }),
        ("an empty line", b"\n", |end| matches!(end, End::Garbage(_))),
        ("half a line", b"{\"id\":", |end| matches!(end, End::HalfLine)),
        ("a huge line", &huge, |end| matches!(end, End::TooLong)),
        ("an early close", b"", |end| matches!(end, End::Closed)),
    ];
    for (name, bytes, expected) in cases {
        let (output, end) = exchange(async |worker, _| worker.send(bytes).await).await;
        let end = end.unwrap();
        assert!(expected(&end), "{name}: {end:?}");
        assert_eq!(end.is_breach(), !matches!(end, End::Closed), "{name}");
        let error = output.expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Crashed, "{name}");
        assert!(error.message().starts_with("the worker "), "{name}: {error}");
    }
}

/// Ids that nobody waits for are counted and ignored.
#[tokio::test]
async fn s85_unknown_and_repeated_ids_are_ignored() {
    let (connection, mut worker, _end) = FakeWorker::connect();
    let call = request("echo", "{}");
    let script = async {
        let frame = worker.next().await.unwrap();
        for id in ["7", "\"a1\"", "\"00000000000000000000000000000000\"", "{}"] {
            worker
                .send(format!("{{\"id\":{id},\"ok\":true,\"result\":{{}}}}\n"))
                .await;
        }
        worker
            .send("{\"op\":\"future\"}\n{\"op\":\"log\",\"id\":\"x\",\"data\":1}\n")
            .await;
        worker.answer(&frame, OUTPUT).await;
        worker.answer(&frame, OUTPUT).await;
    };
    let context = cx();
    let both = async { tokio::join!(connection.call(&context, &call), script) };
    soon(both).await.0.unwrap();
    let pong = async {
        let frame = worker.next().await.unwrap();
        worker.answer(&frame, "{}").await;
    };
    soon(async { tokio::join!(connection.ping(), pong) })
        .await
        .0
        .unwrap();
    assert_eq!(connection.strays(), 7);
    assert_eq!(connection.open_requests(), 0);
}

#[tokio::test]
async fn error_codes_become_kinds_and_strange_ones_are_internal() {
    for (code, kind) in [
        ("tool_error", ErrorKind::ToolFailed),
        ("dependency_error", ErrorKind::Dependency),
        ("execution_timeout", ErrorKind::Timeout),
        ("overloaded", ErrorKind::Overloaded),
        ("unauthorized", ErrorKind::Internal),
        ("made_up", ErrorKind::Internal),
    ] {
        let (output, _) = exchange(async |worker, frame| worker.refuse(&frame, code, "because").await).await;
        let error = output.unwrap_err();
        assert_eq!((error.kind(), error.message()), (kind, "because"), "{code}");
    }
}

#[tokio::test]
async fn what_a_tool_makes_too_deep_harms_its_call_only() {
    let (connection, mut worker, _end) = FakeWorker::connect();
    let call = request("deep", "{}");
    let context = cx();
    let script = async {
        let frame = worker.next().await.unwrap();
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        worker
            .send(format!(
                "{{\"op\":\"log\",\"id\":{},\"data\":{deep}}}\n",
                frame["id"]
            ))
            .await;
        worker
            .answer(&frame, &format!("{{\"content\":{deep},\"isError\":false}}"))
            .await;
        let frame = worker.next().await.unwrap();
        worker.answer(&frame, OUTPUT).await;
    };
    let calls = async {
        let error: EngineError = connection.call(&context, &call).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ResultTooLarge);
        connection.call(&context, &call).await.unwrap();
    };
    soon(async { tokio::join!(calls, script) }).await;
}

#[tokio::test]
async fn after_its_end_a_connection_takes_nothing() {
    let (connection, _worker, _end) = FakeWorker::connect();
    connection.end(ErrorKind::Crashed, "the worker died (signal 9)");
    let error = call_once(&connection, &cx()).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Unavailable, "the worker died (signal 9)")
    );
}

async fn call_once(connection: &Connection, cx: &CallContext) -> Result<ToolOutput> {
    connection.call(cx, &request("echo", "{}")).await
}
