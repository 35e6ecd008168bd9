//! What the gateway says about itself to whoever watches it: metrics, health, readiness.

use std::{collections::BTreeSet, sync::Arc};

use axum::{Router, body::Body};
use http::StatusCode;
use http_body_util::BodyExt as _;
use serde_json::json;
use tokio::sync::Semaphore;
use tooldock::{
    CallContext, Caller, EngineExt as _, Gateway, RawJson,
    engine::Mounts as _,
    http::HttpSettings,
    layers::{LayerSettings, MetricsLayer, defaults},
    telemetry::CallMetrics,
};
use tower::ServiceExt as _;

use crate::{
    fixture::{bearer, engine, request, send},
    script::{Script, Version},
};

fn counting() -> Gateway {
    let metrics = CallMetrics::new();
    let mut settings = LayerSettings::default();
    settings.metrics = Some(MetricsLayer::new(metrics.clone()));
    Gateway::builder()
        .namespace("demo", engine())
        .layers(defaults(&settings))
        .metrics(metrics)
        .http(HttpSettings::new(bearer()))
        .build()
        .unwrap()
}

async fn page(app: &Router) -> String {
    let request = request("GET", "/metrics").body(Body::empty()).unwrap();
    let answer = app.clone().oneshot(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(
        answer.headers()["content-type"],
        "text/plain; version=0.0.4; charset=utf-8"
    );
    let bytes = answer.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What is counted, without the numbers.
fn series(page: &str) -> BTreeSet<&str> {
    let lines = page.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit_once(' ').unwrap().0).collect()
}

#[tokio::test]
async fn ten_thousand_invented_names_leave_the_labels_as_they_are() {
    let gateway = counting();
    let app = gateway.router();
    let call = |tool: &str| {
        let request = request("POST", &format!("/demo/tools/{tool}"));
        request.body(Body::from(r#"{"a":1,"b":2}"#)).unwrap()
    };
    assert_eq!(send(&app, call("add")).await.0, StatusCode::OK);
    let mount = gateway.registry().mount(&Caller::local(), "demo").unwrap();
    let invent = async |name: &str| {
        let cx = CallContext::new(Caller::local(), mount.namespace.clone());
        mount
            .engine
            .call_tool(cx, name, RawJson::empty_object())
            .await
            .unwrap_err();
    };
    invent("first").await;
    let before = page(&app).await;
    for number in 0..10_000 {
        invent(&format!("made.up-{number}")).await;
        assert_eq!(
            send(&app, call(&format!("made.up-{number}"))).await.0,
            StatusCode::NOT_FOUND
        );
    }
    let after = page(&app).await;
    assert_eq!(series(&before), series(&after));
    let unlisted = r#"tooldock_calls_total{namespace="demo",what="tool",tool="",door="local",outcome="tool_not_found"} 10001"#;
    assert!(after.contains(unlisted), "they are counted all the same");
    let add = r#"tooldock_calls_total{namespace="demo",what="tool",tool="add",door="rest",outcome="ok"} 1"#;
    assert!(after.contains(add));
}

#[tokio::test]
async fn s108_open_doors_say_status_and_version_and_nothing_else() {
    let app = counting().router();
    let open = |path: &str| {
        let request = http::Request::get(path).header("host", "localhost");
        request.body(Body::empty()).unwrap()
    };
    let (status, _, health) = send(&app, open("/health")).await;
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        (status, health),
        (StatusCode::OK, json!({"status": "ok", "version": version}))
    );
    let (status, _, ready) = send(&app, open("/ready")).await;
    assert_eq!((status, ready), (StatusCode::OK, json!({"status": "ready"})));
    for path in ["/metrics", "/namespaces", "/mcp/info", "/internal/state"] {
        assert_eq!(send(&app, open(path)).await.0, StatusCode::UNAUTHORIZED, "{path}");
    }
}

#[tokio::test]
async fn f29_calls_are_announced_only_while_they_are_taken() {
    let (script, go) = (Arc::new(Script::default()), Arc::new(Semaphore::new(0)));
    script.set("slow", Version::Waits("1", go.clone()));
    let gateway = Gateway::builder()
        .source(script)
        .bearer(bearer())
        .build()
        .unwrap();
    let app = gateway.router();
    let ask = async |path: &str| {
        let (status, _, body) = send(&app, request("GET", path).body(Body::empty()).unwrap()).await;
        (status.as_u16(), body["status"].as_str().unwrap().to_owned())
    };
    let loading = gateway.load();
    let meanwhile = async {
        assert_eq!(ask("/ready").await, (503, "loading".to_owned()));
        assert_eq!(ask("/health").await, (200, "loading".to_owned()));
        go.add_permits(1);
    };
    let (report, ()) = tokio::join!(loading, meanwhile);
    assert!(report.unwrap().ok);
    assert_eq!(ask("/ready").await, (200, "ready".to_owned()));
    let text = page(&app).await;
    for line in [
        "tooldock_ready 1",
        r#"tooldock_reloads_total{result="ok"} 1"#,
        "tooldock_snapshot_revision 1",
    ] {
        assert!(
            text.lines().any(|found| found == line),
            "{line} is missing in\n{text}"
        );
    }
    gateway.close();
    assert_eq!(ask("/ready").await, (503, "ending".to_owned()));
    assert_eq!(ask("/health").await.0, 200, "the process is well");
}
