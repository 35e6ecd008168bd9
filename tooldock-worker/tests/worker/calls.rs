//! Calls over one connection to a scripted worker.

use serde_json::json;
use tokio_util::sync::CancellationToken;
use tooldock_engine::ErrorKind;
use tooldock_worker::testing::FakeWorker;

use crate::{
    process::soon,
    protocol::{OUTPUT, request},
    shop::cx,
};

#[tokio::test]
async fn a_thousand_calls_find_their_own_answers() {
    const CALLS: usize = 1000;
    let (connection, mut worker, _end) = FakeWorker::connect();
    let context = cx();
    let calls = (0..CALLS).map(|number| {
        let (connection, context) = (&connection, &context);
        async move {
            let call = request("echo", &format!("{{\"number\":{number}}}"));
            let output = connection.call(context, &call).await.unwrap();
            assert_eq!(
                output.structured.unwrap().as_str(),
                format!("{{\"number\":{number}}}")
            );
        }
    });
    let script = async {
        let mut frames = Vec::new();
        while frames.len() < CALLS {
            frames.push(worker.next().await.unwrap());
        }
        // Backwards and every other one first: no order is promised.
        frames.reverse();
        let (even, odd): (Vec<_>, Vec<_>) = frames
            .into_iter()
            .enumerate()
            .partition(|(index, _)| index % 2 == 0);
        for (_, frame) in even.into_iter().chain(odd) {
            let result = json!({"content": [], "structuredContent": frame["arguments"], "isError": false});
            worker.answer(&frame, &result.to_string()).await;
        }
    };
    let all = async { tokio::join!(futures_util::future::join_all(calls), script) };
    soon(all).await;
}

#[tokio::test]
async fn a_dropped_or_cancelled_call_is_cancelled_in_the_worker() {
    let (connection, mut worker, _end) = FakeWorker::connect();
    let call = request("slow", "{}");
    let token = CancellationToken::new();
    let context = cx().with_cancel(token.clone());
    {
        let running = connection.call(&context, &call);
        tokio::pin!(running);
        let frame = tokio::select! {
            _ = &mut running => unreachable!("nobody answered"),
            frame = worker.next() => frame.unwrap(),
        };
        token.cancel();
        assert_eq!(running.await.unwrap_err().kind(), ErrorKind::Cancelled);
        let cancel = worker.next().await.unwrap();
        assert_eq!(
            (&cancel["op"], &cancel["target"]),
            (&json!("tools.cancel"), &frame["id"])
        );
    }
    let context = cx();
    let frame = tokio::select! {
        _ = connection.call(&context, &call) => unreachable!("nobody answered"),
        frame = worker.next() => frame.unwrap(),
    };
    let cancel = worker.next().await.unwrap();
    assert_eq!(
        (&cancel["op"], &cancel["target"]),
        (&json!("tools.cancel"), &frame["id"])
    );
    assert_eq!(connection.open_requests(), 0);
}

#[tokio::test]
async fn arguments_travel_untouched_on_one_line() {
    let (connection, mut worker, _end) = FakeWorker::connect();
    let call = request(
        "echo",
        "{\r\n  \"big\": 123456789012345678901234567890,\n  \"text\": \"a\\nb\"\n}",
    );
    let context = cx().with_request_id("r-1");
    let script = async {
        let frame = worker.next().await.unwrap();
        assert_eq!(frame["arguments"]["text"], "a\nb");
        assert_eq!(frame["context"], json!({"request_id": "r-1"}));
        worker.answer(&frame, OUTPUT).await;
    };
    let (output, ()) = soon(async { tokio::join!(connection.call(&context, &call), script) }).await;
    assert!(!output.unwrap().failed);
}

/// What a worker says that a call used of a processor is told to whoever keeps account of it, whether the call succeeds or fails.
#[tokio::test]
async fn a_call_is_told_what_it_used_of_a_processor() {
    let (connection, mut worker, _end) = FakeWorker::connect();
    let call = request("burn", "{}");
    let answers = [
        (
            r#""ok":true,"result":{"content":[],"isError":false},"cpu_us":5100"#,
            5100,
        ),
        (
            r#""ok":false,"error":{"code":"tool_error","message":""},"cpu_us":90"#,
            90,
        ),
        (r#""ok":true,"result":{"content":[],"isError":false}"#, 0),
        (
            r#""ok":true,"result":{"content":[],"isError":false},"cpu_us":-1"#,
            0,
        ),
    ];
    for (answer, used) in answers {
        let context = cx();
        let script = async {
            let frame = worker.next().await.unwrap();
            worker
                .send(format!("{{\"id\":{},{answer}}}\n", frame["id"]))
                .await;
        };
        let (output, ()) = soon(async { tokio::join!(connection.call(&context, &call), script) }).await;
        assert_eq!(output.is_ok(), answer.contains("true"), "{answer}");
        assert_eq!(context.facts().processor().as_micros(), used, "{answer}");
    }
}
