//! A server whose answers a test writes, and which keeps what it has seen.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Extension, Router,
    body::{Body, Bytes},
    routing::any,
};
use http::{HeaderMap, HeaderValue, Method, Response, Uri};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};
use tooldock_engine::NamespaceName;
use tooldock_mcp::{
    router,
    upstream::{Upstream, UpstreamSettings},
};

use crate::scene::{HANDSHAKE, Scene, caller};

/// What a server has seen of one request.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// A server whose answers a test writes.
pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    _tasks: JoinSet<()>,
}

impl Server {
    pub(crate) async fn scripted(
        answer: impl Fn(&Seen, &Uri) -> Response<Body> + Clone + Send + Sync + 'static,
    ) -> Self {
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let log = seen.clone();
        let handler = any(
            move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| async move {
                let body = serde_json::from_slice(&body).unwrap_or_default();
                let one = Seen {
                    method,
                    headers,
                    body,
                };
                log.lock().unwrap().push(one.clone());
                answer(&one, &uri)
            },
        );
        Self::of(Router::new().fallback(handler), seen).await
    }

    /// The server under test, as a program would serve it.
    pub(crate) async fn real(scene: &Scene) -> Self {
        let app = router(scene.server.clone())
            .layer(Extension(caller("ann")))
            .layer(Extension("demo".parse::<NamespaceName>().unwrap()));
        Self::of(app, Arc::default()).await
    }

    async fn of(app: Router, seen: Arc<Mutex<Vec<Seen>>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let mut tasks = JoinSet::new();
        tasks.spawn(async { axum::serve(listener, app).await.unwrap() });
        Self {
            url,
            seen,
            _tasks: tasks,
        }
    }

    pub(crate) fn settings(&self) -> UpstreamSettings {
        let mut settings = UpstreamSettings::new(self.url.parse().unwrap())
            .bearer("canary-token")
            .unwrap();
        settings.retry = Duration::from_millis(10);
        settings.patience = Duration::ZERO;
        settings
    }

    pub(crate) fn client(&self) -> Upstream {
        Upstream::new(self.settings()).unwrap()
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn count(&self, method: &str) -> usize {
        self.seen()
            .iter()
            .filter(|seen| seen.body["method"] == method)
            .count()
    }
}

pub(crate) fn answered(status: u16, kind: &str, body: impl Into<Body>) -> Response<Body> {
    let response = Response::builder().status(status).header("content-type", kind);
    response.body(body.into()).unwrap()
}

pub(crate) fn result(seen: &Seen, result: Value) -> Response<Body> {
    let body = json!({"jsonrpc": "2.0", "id": seen.body["id"], "result": result});
    answered(200, "application/json", body.to_string())
}

/// What a server says to `initialize`.
pub(crate) fn opened() -> Value {
    json!({"protocolVersion": HANDSHAKE, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}})
}

/// The same, with a session to go on in.
pub(crate) fn opened_session(seen: &Seen, id: &'static str) -> Response<Body> {
    let mut response = result(seen, opened());
    response
        .headers_mut()
        .insert("mcp-session-id", HeaderValue::from_static(id));
    response
}

pub(crate) fn accepted() -> Response<Body> {
    answered(202, "text/plain", "")
}
