//! Known secret values are taken out of everything that leaves an engine.

mod client;
mod error;
mod reply;

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineLayer, EngineReply, EngineRequest, NamespaceName, ToolEngine,
    error::Result, request::ResourceUri, secret::Redactor,
};

use self::{client::Redacting, error::redact_error, reply::redact_reply};
use super::Overrides;

type Choice = dyn Fn(&NamespaceName) -> Option<Arc<dyn Redactor>> + Send + Sync;

/// Puts [`Redact`] around engines of namespaces that have secrets.
///
/// ```
/// use std::{borrow::Cow, sync::Arc};
/// use tooldock::{
///     CallContext, Caller, EngineExt as _, EngineLayer as _, RawJson, StaticEngine, Tool, ToolOutput,
///     engine::secret::Redactor, layers::RedactLayer,
/// };
///
/// #[derive(Debug)]
/// struct NoHunter;
/// impl Redactor for NoHunter {
///     fn redact<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
///         match std::str::from_utf8(text) {
///             Ok(text) if text.contains("hunter2") => Cow::Owned(text.replace("hunter2", "***").into()),
///             _ => Cow::Borrowed(text),
///         }
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let engine = StaticEngine::builder()
///     .tool(Tool::new("leak".parse()?), async |_cx, _arguments| Ok(ToolOutput::text("it is hunter2")))
///     .build()?;
/// let engine = RedactLayer::new(|_namespace| Some(Arc::new(NoHunter))).layer(&"demo".parse()?, Arc::new(engine));
/// let cx = CallContext::new(Caller::local(), "demo".parse()?);
/// let output = engine.call_tool(cx, "leak", RawJson::empty_object()).await?;
/// assert_eq!(output, ToolOutput::text("it is ***"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct RedactLayer {
    redactor: Arc<Choice>,
    overrides: Arc<Overrides>,
}

impl RedactLayer {
    /// Asks `redactor` for the one of each namespace, each time an engine is mounted.
    #[must_use]
    pub fn new(
        redactor: impl Fn(&NamespaceName) -> Option<Arc<dyn Redactor>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            redactor: Arc::new(redactor),
            overrides: Arc::default(),
        }
    }

    /// Leaves namespaces alone whose operator wants that.
    #[must_use]
    pub fn with_overrides(mut self, overrides: Arc<Overrides>) -> Self {
        self.overrides = overrides;
        self
    }

    /// What takes the secrets of `namespace` out; nothing when it has none, or its operator wants them shown.
    #[must_use]
    pub fn of(&self, namespace: &NamespaceName) -> Option<Arc<dyn Redactor>> {
        if self.overrides.of(namespace).shows_secrets {
            return None;
        }
        (self.redactor)(namespace)
    }
}

impl fmt::Debug for RedactLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedactLayer")
    }
}

impl EngineLayer for RedactLayer {
    fn layer(&self, namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        match self.of(namespace) {
            Some(redactor) => Arc::new(Redact { inner, redactor }),
            None => inner,
        }
    }
}

/// An engine that tells no secret: neither in replies and errors, their causes included, nor in notes and questions to the client.
///
/// Replies are read as JSON, so that a value is found however it is escaped; a number that is a secret becomes a text. What holds
/// no secret is passed on as the bytes it came in. The state of a call that asks is the engine's own and stays as it is.
#[derive(Debug)]
pub struct Redact {
    inner: Arc<dyn ToolEngine>,
    redactor: Arc<dyn Redactor>,
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Redact {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        let catalog = self.inner.catalog(cx);
        catalog.map_err(|error| redact_error(&*self.redactor, error))
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let client = Redacting::new(cx.client().clone(), self.redactor.clone());
        let reply = self.inner.serve(cx.with_client(client), request).await;
        reply
            .and_then(|reply| redact_reply(&*self.redactor, reply))
            .map_err(|error| redact_error(&*self.redactor, error))
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
