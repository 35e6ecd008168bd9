//! A server with a few tools, and requests to it.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, BodyDataStream, to_bytes},
};
use futures_util::{FutureExt as _, StreamExt as _};
use http::{HeaderMap, Method, Request, Response};
use serde_json::{Value, json};
use tokio::time::timeout;
use tooldock_engine::{
    CallContext, Caller, Catalog, EngineError, ErrorKind, Mount, Mounts, NamespaceName, RawJson,
    StaticEngine, Tool, ToolEngine, ToolOutput,
    catalog::About,
    context::{Door, LogLevel, Note, Principal},
    json::ScanLimits,
    testing::EngineMock,
};
use tooldock_judge::{Exchange, Judge};
use tooldock_mcp::{Server, ServerBuilder, Settings, router, stream::EventLog};
use tower::ServiceExt as _;

pub(crate) const MODERN: &str = "2026-07-28";
pub(crate) const HANDSHAKE: &str = "2025-11-25";

/// How long a test waits for what must come.
const DEADLINE: Duration = Duration::from_secs(30);

/// A server and its router.
pub(crate) struct Scene {
    pub(crate) server: Server,
    app: Router,
}

/// A response that was read to its end.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Got {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(crate) fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or(0)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The messages of an event stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), Some("text/event-stream"), "{self:?}");
        let data = self.text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.filter(|data| !data.is_empty())
            .map(|data| serde_json::from_str(data).unwrap())
            .collect()
    }
}

/// An event stream that is being read.
pub(crate) struct Events {
    pub(crate) headers: HeaderMap,
    body: BodyDataStream,
    exchange: Exchange,
}

impl Events {
    fn of((response, exchange): (Response<Body>, Exchange)) -> Self {
        let (head, body) = response.into_parts();
        assert_eq!(
            (head.status.as_u16(), &head.headers["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        Self {
            headers: head.headers,
            body: body.into_data_stream(),
            exchange,
        }
    }

    /// The next frame as it travels; nothing once the stream has ended.
    pub(crate) async fn frame(&mut self) -> Option<String> {
        let frame = self.body.next().await?.expect("no error");
        let frame = String::from_utf8(frame.to_vec()).unwrap();
        self.exchange.hear(&frame);
        Some(frame)
    }

    /// The next message, past comments; nothing once the stream has ended.
    pub(crate) async fn message(&mut self) -> Option<Value> {
        Some(self.event().await?.1)
    }

    /// The next message and its id, past comments and events without data; nothing once the stream has ended.
    pub(crate) async fn event(&mut self) -> Option<(Option<String>, Value)> {
        soon(self.next_event()).await
    }

    async fn next_event(&mut self) -> Option<(Option<String>, Value)> {
        loop {
            let frame = self.frame().await?;
            if let Some(rest) = frame.strip_prefix("event: message\n") {
                let (id, data) = rest.split_once("data: ").unwrap();
                let id = id.strip_prefix("id: ").map(|id| id.trim_end().to_owned());
                return Some((id, serde_json::from_str(data).unwrap()));
            }
        }
    }

    /// Whether there is nothing to read now but comments.
    pub(crate) fn is_silent(&mut self) -> bool {
        self.message().now_or_never().is_none()
    }
}

/// A request that is being put together.
pub(crate) struct Ask<'a> {
    scene: &'a Scene,
    request: http::request::Builder,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self::of(Arc::new(engine()), Settings::default())
    }

    pub(crate) fn of(engine: Arc<dyn ToolEngine>, settings: Settings) -> Self {
        let mount = Mount {
            namespace: "demo".parse().unwrap(),
            engine,
        };
        Self::build(
            Server::builder(Arc::new(mount))
                .info("gate", "9")
                .settings(settings),
        )
    }

    /// The same with a log of its own.
    pub(crate) fn with_events(engine: Arc<dyn ToolEngine>, events: Arc<dyn EventLog>) -> Self {
        let mount = Mount {
            namespace: "demo".parse().unwrap(),
            engine,
        };
        Self::build(Server::builder(Arc::new(mount)).events(events))
    }

    pub(crate) fn over(mounts: Arc<dyn Mounts>) -> Self {
        Self::build(Server::builder(mounts))
    }

    fn build(builder: ServerBuilder) -> Self {
        let server = builder.build();
        let app = router(server.clone()).merge(tooldock_mcp::legacy::router(server.clone()));
        Self { server, app }
    }

    /// A request that no layer in front has seen.
    pub(crate) fn bare(&self) -> Ask<'_> {
        let request = Request::builder().uri("/");
        Ask { scene: self, request }.with("content-type", "application/json")
    }

    /// A request of `ann` to `demo`, with the headers every client sends.
    pub(crate) fn ask(&self) -> Ask<'_> {
        self.ask_as("ann", "demo")
    }

    pub(crate) fn ask_as(&self, principal: &str, namespace: &str) -> Ask<'_> {
        let request = Request::builder().uri("/").extension(caller(principal));
        let request = request.extension(namespace.parse::<NamespaceName>().unwrap());
        Ask { scene: self, request }
            .with("content-type", "application/json")
            .with("accept", "application/json, text/event-stream")
    }

    /// A well-formed modern request.
    pub(crate) async fn modern(&self, method: &str, params: Value) -> Got {
        let params = enveloped(params);
        let mut ask = self
            .ask()
            .with("mcp-protocol-version", MODERN)
            .with("mcp-method", method);
        if let Some(name) = params["name"].as_str() {
            ask = ask.with("mcp-name", name);
        }
        ask.post(request(1, method, params)).await
    }

    /// Opens a session and gives back its id.
    pub(crate) async fn initialize(&self) -> String {
        self.initialize_in(HANDSHAKE).await
    }

    /// Opens a session of that revision and gives back its id.
    pub(crate) async fn initialize_in(&self, revision: &str) -> String {
        let got = self.ask().post(request(0, "initialize", offer(revision))).await;
        assert_eq!(got.json()["result"]["protocolVersion"], revision, "{got:?}");
        got.header("mcp-session-id").expect("a session id").to_owned()
    }

    /// Opens a stream of what the server sends on its own in a session.
    pub(crate) async fn watch(&self, session: &str) -> Events {
        self.ask().session(session).events().await
    }

    /// Opens a subscription.
    pub(crate) async fn listen(&self, id: impl Into<Value>, wanted: Value) -> Events {
        let params = enveloped(json!({"notifications": wanted}));
        let ask = self.ask().with("mcp-protocol-version", MODERN);
        let ask = ask.with("mcp-method", "subscriptions/listen");
        Events::of(
            ask.judged(Method::POST, request(id, "subscriptions/listen", params))
                .await,
        )
    }

    /// A well-formed request within a session.
    pub(crate) async fn session(&self, session: &str, method: &str, params: Value) -> Got {
        self.ask().session(session).post(request(1, method, params)).await
    }
}

impl Ask<'_> {
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.request.headers_mut().unwrap().remove(name);
        self
    }

    pub(crate) fn session(self, id: &str) -> Self {
        self.with("mcp-session-id", id)
            .with("mcp-protocol-version", HANDSHAKE)
    }

    /// Sends it to another path.
    pub(crate) fn at(mut self, path: &str) -> Self {
        self.request = self.request.uri(path);
        self
    }

    /// Sends it and gives back the response without reading its body.
    pub(crate) async fn open(self, method: Method, body: impl ToString) -> Response<Body> {
        self.judged(method, body).await.0
    }

    /// The same, with what judges the messages of the response.
    async fn judged(self, method: Method, body: impl ToString) -> (Response<Body>, Exchange) {
        let body = body.to_string();
        let exchange = Exchange::of(self.request.headers_ref().unwrap(), &body);
        let request = self.request.method(method).body(Body::from(body)).unwrap();
        let response = self.scene.app.clone().oneshot(request).await.unwrap();
        let exchange = exchange.answered(response.headers());
        (response, exchange)
    }

    pub(crate) async fn send(self, method: Method, body: impl ToString) -> Got {
        let (response, mut exchange) = self.judged(method, body).await;
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let got = Got {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8(bytes.into()).unwrap(),
        };
        exchange.hear(&got.text);
        got
    }

    /// Sends it and gives back the event stream that answers it.
    pub(crate) async fn stream(self, method: Method, body: impl ToString) -> Events {
        Events::of(self.judged(method, body).await)
    }

    /// Opens an event stream with GET.
    pub(crate) async fn events(self) -> Events {
        Events::of(self.judged(Method::GET, "").await)
    }

    pub(crate) async fn post(self, body: impl ToString) -> Got {
        self.send(Method::POST, body).await
    }
}

/// What comes in time; a test that waits in vain ends here.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    timeout(DEADLINE, what).await.expect("it comes in time")
}

/// Judges what a client in memory is told.
pub(crate) fn judge(revision: &str, asked: &Value, said: &Value) {
    Judge::of(Some(revision.to_owned()), &asked.to_string()).check(said);
}

pub(crate) fn caller(principal: &str) -> Caller {
    Caller {
        principal: Principal::new(principal),
        door: Door::Mcp,
        peer: None,
    }
}

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

pub(crate) fn offer(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}})
}

/// Adds the envelope of 2026-07-28 where it is not there yet.
pub(crate) fn enveloped(mut params: Value) -> Value {
    let meta = &mut params["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = MODERN.into();
    if meta["io.modelcontextprotocol/clientCapabilities"].is_null() {
        meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
    }
    params
}

pub(crate) fn raw(text: &str) -> RawJson {
    RawJson::scan(text.to_owned(), ScanLimits::RESULT).unwrap()
}

pub(crate) fn tool(name: &str) -> Tool {
    Tool::new(name.parse().unwrap())
}

pub(crate) fn mock(tools: &[&str]) -> Arc<EngineMock> {
    Arc::new(EngineMock::new(catalog(tools)))
}

/// A catalog of these tools.
pub(crate) fn catalog(tools: &[&str]) -> Catalog {
    let tools = tools.iter().map(|name| tool(name));
    tools
        .fold(Catalog::builder(), |catalog, tool| catalog.tool(tool))
        .build()
        .unwrap()
}

pub(crate) fn progress(value: i64) -> Note {
    Note::Progress {
        progress: RawJson::from(json!(value)),
        total: Some(RawJson::from(json!(9))),
        message: Some("working".to_owned()),
    }
}

pub(crate) fn log(level: LogLevel, text: &str) -> Note {
    Note::Log {
        level,
        logger: Some("t".to_owned()),
        data: RawJson::string(text),
    }
}

fn engine() -> StaticEngine {
    let mut asking = tool("asking");
    asking.requires = Some(RawJson::from(json!({"elicitation": {"form": {}}})));
    let mut rich = tool("rich");
    rich.title = Some("Rich".to_owned());
    rich.output_schema = Some(RawJson::from(json!({"type": "object"})));
    rich.meta = Some(raw(r#"{"ui": {}}"#));
    let about = About {
        description: Some("Tools to try.".to_owned()),
        ..About::default()
    };
    StaticEngine::builder()
        .about(about)
        .tool(tool("echo"), async |_cx, arguments: RawJson| {
            Ok(ToolOutput::text(arguments.as_str()))
        })
        .tool(tool("fail"), async |_cx, _| {
            Err(EngineError::new(ErrorKind::ToolFailed, "it broke").with_source("secret cause"))
        })
        .tool(tool("refuse"), async |_cx, _| {
            Err(EngineError::new(
                ErrorKind::InvalidArguments,
                "`a` must be a number",
            ))
        })
        .tool(tool("away"), async |_cx, _| {
            Err(EngineError::new(ErrorKind::Unavailable, "no process"))
        })
        .tool(asking, async |_cx, _| Ok(ToolOutput::text("asked")))
        .tool(rich, async |_cx, _| {
            Ok(ToolOutput {
                structured: Some(raw(r#"{"n": 123456789012345678901234567890, "x": 1.10}"#)),
                meta: Some(raw(
                    r#"{"trace/id": 7, "io.modelcontextprotocol/serverInfo": {"name": "upstream"}}"#,
                )),
                ..ToolOutput::text("rich")
            })
        })
        .tool(tool("talk"), async |cx: CallContext, _| {
            cx.client().notify(progress(1));
            cx.client().notify(log(LogLevel::Info, "line\nbreak"));
            cx.client().notify(log(LogLevel::Debug, "detail"));
            cx.client().notify(progress(2));
            Ok(ToolOutput::text("said"))
        })
        .tool(tool("trace"), async |cx: CallContext, _| {
            let trace = cx.trace().clone();
            Ok(ToolOutput::text(&format!(
                "{:?} {:?} {}",
                trace.parent,
                trace.state,
                cx.request_id()
            )))
        })
        .build()
        .unwrap()
}
