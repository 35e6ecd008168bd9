//! Errors are told to the operator's log, with what lies behind them.

use std::{error::Error as StdError, sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineError, EngineLayer, EngineReply, EngineRequest, NamespaceName,
    ToolEngine, ToolName,
    error::{Fault, Result},
    request::ResourceUri,
};

use super::repeats::Repeats;

/// Bytes of a cause that are logged; of a longer one the end, which is nearest to the root.
const MOST_BYTES: usize = 8 << 10;

/// Puts [`Report`] around engines.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReportLayer;

impl ReportLayer {
    /// The layer.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl EngineLayer for ReportLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        Arc::new(Report {
            inner,
            repeats: Repeats::default(),
        })
    }
}

/// An engine whose errors are logged under the request id, which is what a caller can give to the operator.
///
/// | Whose fault | Level | Logged |
/// |---|---|---|
/// | the gateway's | error | code, causes and text |
/// | the tool's | warn | code and causes |
/// | the caller's | debug | code and causes |
///
/// The same error of the same tool is logged 20 times a minute; the next line after that says how many were left out.
///
/// The texts of the last two are for the caller and may show arguments and results, so they are not logged.
#[derive(Debug)]
pub struct Report {
    inner: Arc<dyn ToolEngine>,
    repeats: Repeats,
}

macro_rules! log {
    ($level:ident, $cx:ident, $tool:ident, $error:ident, $left_out:ident, $($more:tt)*) => {
        tracing::$level!(
            request_id = $cx.request_id(),
            trace_id = $cx.trace().ids().map(|ids| ids.trace),
            namespace = $cx.namespace().as_str(),
            tool = $tool.map(ToolName::as_str),
            code = $error.kind().code(),
            cause = causes($error),
            left_out = Some($left_out).filter(|count| *count > 0),
            $($more)*
        )
    };
}

impl Report {
    fn log(&self, cx: &CallContext, tool: Option<&ToolName>, error: &EngineError) {
        let Some(left_out) = self.repeats.admit(tool, error.kind()) else {
            return;
        };
        match error.fault() {
            Fault::Gateway => log!(
                error,
                cx,
                tool,
                error,
                left_out,
                text = error.message(),
                "the gateway could not answer"
            ),
            Fault::Tool => log!(warn, cx, tool, error, left_out, "a tool could not answer"),
            _ => log!(debug, cx, tool, error, left_out, "a request was refused"),
        }
    }
}

/// What lies behind `error`, from the nearest cause to the root.
fn causes(error: &EngineError) -> Option<String> {
    let chain = std::iter::successors(error.source(), |cause| (**cause).source());
    let mut text = chain.map(ToString::to_string).collect::<Vec<_>>().join(": ");
    if text.len() > MOST_BYTES {
        let mut start = text.len() - MOST_BYTES;
        while !text.is_char_boundary(start) {
            start += 1;
        }
        text.replace_range(..start, "…");
    }
    Some(text).filter(|text| !text.is_empty())
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Report {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        let catalog = self.inner.catalog(cx);
        catalog.inspect_err(|error| self.log(cx, None, error))
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let tool = request.tool().cloned();
        let reply = self.inner.serve(cx.clone(), request).await;
        reply.inspect_err(|error| self.log(&cx, tool.as_ref(), error))
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
