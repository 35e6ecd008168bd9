//! The ceiling: what axum alone costs for the same bytes. `bench-axum LIST…` serves each file at `/list/0`, `/list/1` and so on.

use std::{fs, io};

use axum::{Json, Router, http::header::CONTENT_TYPE, response::IntoResponse, routing::post};
use bytes::Bytes;
use serde_json::Value;

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut app = Router::new()
        .route("/echo", post(echo))
        .route("/rest", post(rest));
    for (index, file) in std::env::args().skip(1).enumerate() {
        let page = Bytes::from(fs::read(file)?);
        let list = move |Json(_): Json<Value>| async move { json(page.clone()) };
        app = app.route(&format!("/list/{index}"), post(list));
    }
    tooldock_bench::serve(app).await
}

/// Reads the whole request and writes the answer of ToolDock, byte for byte.
async fn echo(Json(request): Json<Value>) -> impl IntoResponse {
    let (id, arguments) = (&request["id"], &request["params"]["arguments"]);
    let text = Value::String(arguments.to_string());
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[{{"type":"text","text":{text}}}],"structuredContent":{arguments},"_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"echo","version":"0.1.0"}}}}}}}}"#
    );
    json(answer.into())
}

/// The arguments come back.
async fn rest(Json(arguments): Json<Value>) -> impl IntoResponse {
    json(arguments.to_string().into())
}

fn json(body: Bytes) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], body)
}
