//! A request to an application in memory.

use axum::{Router, body::Body};
use http_body_util::BodyExt as _;
use tooldock::engine::RawJson;
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
    let mut request = axum::http::Request::post(path).header("host", "localhost");
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
    let mut request = axum::http::Request::get(path).header("host", "localhost");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(app, request.body(Body::empty()).unwrap()).await
}

/// No answer may hold what its caller has shown to be let in.
async fn send(app: &Router, request: axum::http::Request<Body>) -> Answer {
    let shown = ["authorization", "cookie"].map(|name| request.headers().get(name).cloned());
    let answer = app.clone().oneshot(request).await.unwrap();
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    let cookie = headers.get("set-cookie").and_then(|value| value.to_str().ok());
    let told = format!("{headers:?} {}", String::from_utf8_lossy(&body));
    for shown in shown.into_iter().flatten() {
        let (_, shown) = shown.to_str().unwrap().rsplit_once([' ', '=']).unwrap();
        assert!(
            shown.len() < 16 || !told.contains(shown),
            "it gives `{shown}` back: {told}"
        );
    }
    Answer {
        status,
        cookie: cookie.map(|cookie| cookie.split(';').next().unwrap_or_default().to_owned()),
        body: String::from_utf8(body.to_vec()).unwrap(),
    }
}

/// A JSON text as a body has it.
pub(crate) fn text(text: &str) -> String {
    RawJson::string(text).to_string()
}
