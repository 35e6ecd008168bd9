//! Arguments are judged against the tool's published schema before the tool sees them.

mod repair;
mod splice;
mod verdict;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use tooldock_engine::{
    CallContext, Catalog, Changes, EngineLayer, EngineReply, EngineRequest, NamespaceName, ToolEngine,
    error::Result, request::ResourceUri,
};

use self::verdict::Verdict;
use super::judge::{Judge, Side, judged};

/// Whether arguments that do not fit are repaired once (setting `ARGUMENT_REPAIR`).
///
/// Models often send the right thing in the wrong clothes. The repair is one step, made only where the schema refuses a value,
/// and its result is judged again:
///
/// | The schema wants | Given | Becomes |
/// |---|---|---|
/// | an optional parameter that allows no null | `null` | not given |
/// | an array or an object | text that is such an array or object in JSON | that value |
/// | a number or an integer | text that is a JSON number | that number, digit for digit |
/// | a boolean | the text `true` or `false`, in any case | that boolean |
///
/// Whatever else does not fit is refused, and so are arguments of which only a part can be repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArgumentRepair {
    /// Arguments are repaired where the table allows it.
    #[default]
    On,
    /// Arguments are forwarded as they came, or refused.
    Off,
}

/// Puts [`Validate`] around engines.
#[derive(Debug, Clone, Copy, Default)]
pub struct ValidateLayer {
    repair: ArgumentRepair,
}

impl ValidateLayer {
    /// A layer that repairs arguments or not.
    #[must_use]
    pub const fn new(repair: ArgumentRepair) -> Self {
        Self { repair }
    }
}

impl EngineLayer for ValidateLayer {
    fn layer(&self, _namespace: &NamespaceName, inner: Arc<dyn ToolEngine>) -> Arc<dyn ToolEngine> {
        Arc::new(Validate {
            inner,
            repair: self.repair,
        })
    }
}

/// An engine whose tools get only arguments that fit their input schema.
///
/// Arguments that fit are forwarded as the bytes they came in. Others are repaired as [`ArgumentRepair`] says, or refused with
/// [`InvalidArguments`](tooldock_engine::ErrorKind::InvalidArguments): a text with up to ten problems, and `details` of the form
/// `{"errors": [{"loc": ["items", 3, "name"], "msg": "must be a string", "type": "type"}]}`. Schemas are compiled once per catalog.
/// Calls of a tool whose schema cannot be used answer [`Dependency`](tooldock_engine::ErrorKind::Dependency); see
/// [`check_schema`](super::check_schema).
#[derive(Debug)]
pub struct Validate {
    inner: Arc<dyn ToolEngine>,
    repair: ArgumentRepair,
}

#[async_trait]
#[deny(clippy::missing_trait_methods)]
impl ToolEngine for Validate {
    fn catalog(&self, cx: &CallContext) -> Result<Arc<Catalog>> {
        self.inner.catalog(cx)
    }

    fn changes(&self, cx: &CallContext, watch: &[ResourceUri]) -> Changes {
        self.inner.changes(cx, watch)
    }

    async fn serve(&self, cx: CallContext, request: EngineRequest) -> Result<EngineReply> {
        let EngineRequest::CallTool(mut call) = request else {
            return self.inner.serve(cx, request).await;
        };
        let catalog = self.inner.catalog(&cx)?;
        let Some(judge) = Judge::of(Side::Arguments, &catalog, &call.tool)? else {
            // The engine says what there is instead.
            return self.inner.serve(cx, EngineRequest::CallTool(call)).await;
        };
        let (name, arguments, repair) = (call.tool.clone(), call.arguments.clone(), self.repair);
        let verdict = judged(arguments.len(), move || {
            Verdict::on(&judge, &name, &arguments, repair)
        })
        .await?;
        match verdict {
            Verdict::Fits => {}
            Verdict::Repaired(arguments) => {
                call.arguments = arguments;
                cx.facts().set_repaired();
            }
            Verdict::Refused(error) => return Err(error),
        }
        self.inner.serve(cx, EngineRequest::CallTool(call)).await
    }

    async fn shutdown(&self, grace: Duration) {
        self.inner.shutdown(grace).await;
    }
}
