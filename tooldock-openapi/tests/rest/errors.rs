//! Errors look as the one table says.

use std::{sync::Arc, time::Duration};

use axum::{Extension, body::Body};
use http::{Request, header::CONTENT_TYPE};
use serde_json::json;
use tooldock_engine::{
    Caller, EngineError, EngineReply, ErrorKind, Mount, NamespaceName, output::InputRequired,
    testing::EngineMock,
};
use tooldock_openapi::{RestSettings, refusal, router};

use crate::app::{app, catalog, echo, get, post, raw, send, tool};

#[tokio::test]
async fn every_kind_answers_as_its_row_says() {
    let engine = Arc::new(EngineMock::new(catalog([tool("t")])));
    let app = app(engine.clone());
    for kind in ErrorKind::ALL {
        let serving = async {
            engine
                .next()
                .await
                .answer(Err(EngineError::new(*kind, "what to do")));
        };
        let (answer, ()) = tokio::join!(post(&app, "/tools/t", "{}"), serving);
        let row = kind.row();
        assert_eq!(answer.status.as_u16(), row.rest_status, "{kind:?}");
        let expected = json!({"error": {"code": row.code, "message": "what to do"}, "request_id": "r-1"});
        assert_eq!(answer.json(), expected);
        let wait = EngineError::new(*kind, "")
            .retry_after()
            .map(|wait| wait.as_secs().to_string());
        let header = answer
            .headers
            .get("retry-after")
            .map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(header, wait, "{kind:?}");
        assert_eq!(
            answer.headers.contains_key("www-authenticate"),
            *kind == ErrorKind::Unauthorized
        );
    }
}

#[tokio::test]
async fn details_and_waits_are_told_and_causes_are_not() {
    let engine = Arc::new(EngineMock::new(catalog([tool("t")])));
    let details = raw(r#"{"errors":[{"loc":["items",3,"name"],"msg":"is too short","type":"minLength"}]}"#);
    let error = EngineError::new(
        ErrorKind::InvalidArguments,
        "`arguments.items[3].name` is too short",
    )
    .with_details(details)
    .with_retry_after(Duration::from_millis(1500))
    .with_source("the cause");
    let serving = async { engine.next().await.answer(Err(error)) };
    let app = app(engine.clone());
    let (answer, ()) = tokio::join!(post(&app, "/tools/t", "{}"), serving);
    assert_eq!(
        (answer.status.as_u16(), &answer.headers["retry-after"]),
        (422, &"2".parse().unwrap())
    );
    assert_eq!(
        answer.json()["error"]["details"]["errors"][0]["loc"],
        json!(["items", 3, "name"])
    );
    assert!(answer.message().contains("items[3].name") && !answer.text().contains("the cause"));
}

#[tokio::test]
async fn bodies_that_are_no_arguments_are_refused() {
    let app = app(echo());
    let rows: [(&str, u16, &str); 8] = [
        ("{", 400, "is not JSON"),
        (r#"{"a":1} x"#, 400, "more text"),
        (r#"{"a":1,"\u0061":2}"#, 400, "repeats a member name"),
        (r#"{"a":1e999}"#, 400, "out of range"),
        (r#"{"a":"\ud800"}"#, 400, "unpaired surrogate"),
        ("[1]", 422, "one JSON object"),
        ("\"{}\"", 422, "one JSON object"),
        ("7", 422, "one JSON object"),
    ];
    for (body, status, text) in rows {
        let answer = post(&app, "/tools/echo", body).await;
        assert_eq!(answer.status.as_u16(), status, "{body}");
        assert!(answer.message().contains(text), "{body}: {}", answer.message());
    }
    let deep = format!("{}1{}", r#"{"a":"#.repeat(65), "}".repeat(65));
    let wide = format!(r#"{{"a":[{}1]}}"#, "1,".repeat(100_000));
    for (body, told) in [
        (
            deep,
            "deeper than `64` levels (at byte 320); send it flatter, or let the operator raise MAX_JSON_DEPTH",
        ),
        (
            wide,
            "more than `100000` values (at byte 200002); send less at once, or let the operator raise MAX_JSON_VALUES",
        ),
    ] {
        let answer = post(&app, "/tools/echo", &body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.message().contains(told)),
            (400, true),
            "{}",
            answer.message()
        );
    }
    for body in ["", " \n", "null", " null "] {
        assert_eq!(post(&app, "/tools/echo", body).await.text(), "{}", "`{body}`");
    }
}

#[tokio::test]
async fn only_json_is_taken() {
    let app = app(echo());
    let call = |media_type: Option<&'static str>, body: &'static str| {
        let request = Request::post("/tools/echo");
        let request = media_type.into_iter().fold(request, |request, media_type| {
            request.header(CONTENT_TYPE, media_type)
        });
        send(&app, request.body(Body::from(body)).unwrap())
    };
    for good in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/json;charset=utf-8",
    ] {
        assert_eq!(call(Some(good), "{}").await.status, 200, "{good}");
    }
    for bad in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "",
    ] {
        for body in ["{}", ""] {
            let answer = call(Some(bad), body).await;
            assert_eq!(answer.status, 415, "{bad}");
            assert!(answer.message().contains("Content-Type: application/json"));
        }
    }
    assert_eq!(call(None, "").await.text(), "{}");
    assert_eq!(call(None, "{}").await.status, 415);
}

#[tokio::test]
async fn a_large_body_names_the_setting() {
    let body = format!(r#"{{"a":"{}"}}"#, "x".repeat(4 << 20));
    let answer = post(&app(echo()), "/tools/echo", &body).await;
    assert_eq!(answer.status, 413);
    assert!(answer.message().contains("`MAX_BODY_BYTES`") && answer.message().contains("4194304"));
}

#[tokio::test]
async fn a_question_that_rest_cannot_ask_is_422() {
    let engine = Arc::new(EngineMock::new(catalog([tool("t")])));
    let reply = EngineReply::InputRequired(InputRequired {
        requests: raw("{}"),
        state: None,
    });
    let serving = async { engine.next().await.answer(Ok(reply)) };
    let app = app(engine.clone());
    let (answer, ()) = tokio::join!(post(&app, "/tools/t", "{}"), serving);
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (422, "input_required")
    );
}

#[tokio::test]
async fn other_methods_are_told_the_right_one() {
    let app = app(echo());
    let answer = get(&app, "/tools/echo").await;
    assert_eq!(
        (answer.status.as_u16(), &answer.headers["allow"]),
        (405, &"POST".parse().unwrap())
    );
    assert!(answer.message().contains("POST /tools/{tool}"));
}

#[tokio::test]
async fn a_request_needs_a_caller_and_a_namespace() {
    let namespace: NamespaceName = "demo".parse().unwrap();
    let bare = router(
        Arc::new(Mount {
            namespace,
            engine: Arc::new(echo()),
        }),
        RestSettings::default(),
    );
    let answer = get(&bare, "/tools").await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (401, "unauthorized")
    );
    let known = bare.clone().layer(Extension(Caller::local()));
    let answer = get(&known, "/tools").await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (400, "namespace_missing")
    );
    assert!(answer.message().contains("X-Namespace") && answer.json().get("request_id").is_none());
    let other: NamespaceName = "other".parse().unwrap();
    let answer = get(&known.layer(Extension(other)), "/tools").await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (404, "namespace_unknown")
    );
}

#[test]
fn layers_in_front_refuse_in_the_same_form() {
    for kind in ErrorKind::ALL {
        assert_eq!(
            refusal(&EngineError::new(*kind, ""), None).status().as_u16(),
            kind.row().rest_status
        );
    }
}
