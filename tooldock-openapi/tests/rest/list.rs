//! Lists and schemas.

use axum::body::Body;
use http::{Request, header::IF_NONE_MATCH};
use tooldock_engine::{Tool, testing::EngineMock};

use crate::app::{app, catalog, get, raw, send, tool};

fn full() -> Tool {
    let mut tool = tool("add");
    tool.title = Some("Add".to_owned());
    tool.description = Some("Adds \"two\" numbers.".to_owned());
    tool.input_schema = raw(r#"{"type":"object", "properties":{"a":{"minimum":1.0}}}"#);
    tool.output_schema = Some(raw(r#"{"type":"object"}"#));
    tool.annotations = Some(raw(r#"{"readOnlyHint":true}"#));
    tool.icons = Some(raw("[]"));
    tool.meta = Some(raw(r#"{"x":1}"#));
    tool.category = Some("math".to_owned());
    tool.tags = vec!["a".to_owned(), "b".to_owned()];
    tool
}

#[tokio::test]
async fn a_list_tells_everything_about_each_tool() {
    let answer = get(&app(EngineMock::new(catalog([full(), tool("bare")]))), "/tools").await;
    assert_eq!(
        answer.text(),
        concat!(
            r#"{"namespace":"demo","tools":[{"name":"add","title":"Add","description":"Adds \"two\" numbers.","#,
            r#""inputSchema":{"type":"object", "properties":{"a":{"minimum":1.0}}},"outputSchema":{"type":"object"},"#,
            r#""annotations":{"readOnlyHint":true},"icons":[],"category":"math","tags":["a","b"],"_meta":{"x":1}},"#,
            r#"{"name":"bare","inputSchema":{"properties":{},"type":"object"},"tags":[]}]}"#,
        )
    );
    assert_eq!(answer.headers["vary"], "authorization, x-namespace");
}

#[tokio::test]
async fn a_list_is_rendered_once_per_catalog() {
    let engine = std::sync::Arc::new(EngineMock::new(catalog([full()])));
    let app = app(engine.clone());
    let (first, second) = (get(&app, "/tools").await, get(&app, "/tools").await);
    assert_eq!(first.body.as_ptr(), second.body.as_ptr(), "the bytes are shared");
    engine.change(catalog([tool("other")]));
    assert!(get(&app, "/tools").await.text().contains("other"));
}

#[tokio::test]
async fn a_client_that_has_the_list_gets_304() {
    let engine = std::sync::Arc::new(EngineMock::new(catalog([full()])));
    let app = app(engine.clone());
    let etag = get(&app, "/tools").await.headers["etag"]
        .to_str()
        .unwrap()
        .to_owned();
    let ask = |tags: String| {
        Request::get("/tools")
            .header(IF_NONE_MATCH, tags)
            .body(Body::empty())
            .unwrap()
    };
    for tags in [
        etag.clone(),
        format!("W/{etag}"),
        format!("\"x\", {etag}"),
        "*".to_owned(),
    ] {
        let answer = send(&app, ask(tags.clone())).await;
        assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0), "{tags}");
        assert_eq!(answer.headers["etag"], etag);
    }
    assert_eq!(send(&app, ask("\"x\"".to_owned())).await.status, 200);
    engine.change(catalog([tool("other")]));
    let answer = send(&app, ask(etag.clone())).await;
    assert_eq!(answer.status, 200);
    assert_ne!(answer.headers["etag"], etag);
}

#[tokio::test]
async fn a_schema_is_the_bytes_the_tool_published() {
    let app = app(EngineMock::new(catalog([full(), tool("schema")])));
    let answer = get(&app, "/tools/add/schema").await;
    assert_eq!(
        answer.text(),
        r#"{"type":"object", "properties":{"a":{"minimum":1.0}}}"#
    );
    assert_eq!(get(&app, "/tools/schema/schema").await.status, 200);
    let answer = get(&app, "/tools/ad/schema").await;
    assert_eq!(answer.status, 404);
    assert_eq!(
        answer.message(),
        "there is no tool `ad` here; did you mean `add`?"
    );
}
