//! A request to an application in memory.

use axum::{
    Router,
    body::Body,
    http::{Request, Response},
};
use http_body_util::BodyExt as _;
use tooldock::engine::RawJson;
use tooldock_tests::Marks;
use tower::ServiceExt as _;

/// What came back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) cookie: Option<String>,
    pub(crate) body: String,
}

/// `POST path` with a body and headers.
pub(crate) async fn post(app: &Router, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = Request::post(path).header("host", "localhost");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(app, request.body(Body::from(body.to_owned())).unwrap()).await
}

/// Calls a tool with JSON arguments.
pub(crate) async fn call(app: &Router, path: &str, arguments: &str) -> Answer {
    post(app, path, &[("content-type", "application/json")], arguments).await
}

/// `GET path` with headers.
pub(crate) async fn get(app: &Router, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get(path).header("host", "localhost");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(app, request.body(Body::empty()).unwrap()).await
}

async fn send(app: &Router, request: Request<Body>) -> Answer {
    let answer = ask(app, request).await;
    let status = answer.status().as_u16();
    let cookie = answer.headers().get("set-cookie");
    let cookie = cookie.map(|value| {
        value
            .to_str()
            .unwrap()
            .split(';')
            .next()
            .unwrap_or_default()
            .to_owned()
    });
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    Answer {
        status,
        cookie,
        body: String::from_utf8(body.to_vec()).unwrap(),
    }
}

/// Sends a request. No part of the answer may hold what its caller has shown to be let in, however it is written.
pub(crate) async fn ask(app: &Router, request: Request<Body>) -> Response<Body> {
    let shown = ["authorization", "cookie"].map(|name| request.headers().get(name).cloned());
    let shown: Vec<_> = shown
        .iter()
        .flatten()
        .map(|value| value.to_str().unwrap())
        .collect();
    let secrets = shown.iter().filter_map(|value| value.rsplit([' ', '=']).next());
    let secrets = secrets.filter(|secret| secret.len() >= 16);
    let marks: Vec<_> = secrets
        .map(|secret| ("what its caller has shown", secret))
        .collect();
    let marks = Marks::new(&marks);
    let answer = app.clone().oneshot(request).await.unwrap();
    let head = format!("{:?}", answer.headers());
    assert_eq!(marks.find(head.as_bytes()), None, "{head}");
    answer.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let found = frame.data_ref().and_then(|data| marks.find(data));
            assert_eq!(found, None, "{frame:?}");
            frame
        }))
    })
}

/// What each test here ends in: an application that shows who has called is noticed.
#[tokio::test]
#[should_panic(expected = "what its caller has shown")]
async fn f53_an_answer_with_a_token_is_noticed() {
    let show = async |headers: axum::http::HeaderMap| format!("{headers:?}");
    let app = Router::new().route("/", axum::routing::get(show));
    get(&app, "/", &[("authorization", "Bearer shown-by-its-caller-4d1e")]).await;
}

/// A JSON text as a body has it.
pub(crate) fn text(text: &str) -> String {
    RawJson::string(text).to_string()
}
