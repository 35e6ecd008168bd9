//! Bodies that do not say how long they are: too long, or too slow, through both doors.

use std::{convert::Infallible, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use serde_json::Value;
use tokio::time::sleep;
use tooldock::{Gateway, http::HttpSettings};

use crate::fixture::{bearer, engine, request, send};

const LIMIT: usize = 1000;

/// Sends `body` to both doors and checks that each refuses it in its own form.
async fn refused(body: impl Fn() -> Body, status: u16, code: &str, setting: &str) {
    let mut settings = HttpSettings::new(bearer());
    settings.max_body_bytes = LIMIT;
    settings.body_timeout = Duration::from_secs(5);
    let gateway = Gateway::builder().namespace("demo", engine()).http(settings);
    let app = gateway.build().unwrap().router();

    let (got, _, answer) = send(&app, request("POST", "/demo/tools/add").body(body()).unwrap()).await;
    assert_eq!(got.as_u16(), status, "{answer}");
    assert_eq!(answer["error"]["code"], code);
    assert!(answer["request_id"].is_string(), "{answer}");
    names(&answer, setting);

    let (got, _, answer) = send(&app, request("POST", "/demo/mcp").body(body()).unwrap()).await;
    assert_eq!(got.as_u16(), status, "{answer}");
    assert_eq!(
        (&answer["jsonrpc"], &answer["error"]["code"]),
        (&"2.0".into(), &(-32_600).into())
    );
    names(&answer, setting);
}

fn names(answer: &Value, setting: &str) {
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains(setting), "{message}");
}

#[tokio::test]
async fn s23_f22_a_chunked_body_that_is_too_long_is_refused_as_such() {
    let chunks = || {
        let chunks = std::iter::repeat_n(Bytes::from_static(&[b' '; 300]), 4);
        Body::from_stream(stream::iter(chunks.map(Ok::<_, Infallible>)))
    };
    refused(chunks, 413, "request_too_large", "1000 bytes (MAX_BODY_BYTES)").await;
}

#[tokio::test(start_paused = true)]
async fn s21_a_body_that_drips_is_refused_as_such() {
    let drip = || {
        Body::from_stream(stream::unfold((), |()| async {
            sleep(Duration::from_secs(2)).await;
            Some((Ok::<_, Infallible>(Bytes::from_static(b" ")), ()))
        }))
    };
    refused(drip, 408, "request_timeout", "5 s (BODY_TIMEOUT_SECONDS)").await;
}
