//! Who answers for what in a static engine.

use std::{collections::HashMap, sync::Arc};

use super::{
    Address, Handler,
    unknown::{unknown_prompt, unknown_resource, unknown_tool},
};
use crate::{
    CallContext, Catalog, EngineError, EngineReply, EngineRequest, ErrorKind, RawJson, ToolName, ToolOutput,
    error::Result,
    output::{Completion, PromptOutput, ResourceOutput},
    request::{Complete, GetPrompt, ReadResource, ResourceUri},
};

type Answers<In, Out> = Arc<dyn Handler<In, Out>>;

/// Who answers for what.
#[derive(Debug, Default)]
pub(super) struct Handlers {
    pub(super) tools: HashMap<ToolName, Answers<RawJson, ToolOutput>>,
    pub(super) resources: HashMap<ResourceUri, Answers<Address, ResourceOutput>>,
    pub(super) templates: HashMap<String, Answers<Address, ResourceOutput>>,
    pub(super) prompts: HashMap<String, Answers<GetPrompt, PromptOutput>>,
    pub(super) completion: Option<Answers<Complete, Completion>>,
}

impl Handlers {
    pub(super) async fn answer(
        &self,
        catalog: &Catalog,
        cx: CallContext,
        request: EngineRequest,
    ) -> Result<EngineReply> {
        match request {
            EngineRequest::CallTool(call) => {
                let tool = self.tools.get(&call.tool);
                let tool = tool.ok_or_else(|| unknown_tool(catalog, call.tool.as_str()))?;
                tool.call(cx, call.arguments).await.map(EngineReply::Tool)
            }
            EngineRequest::ReadResource(read) => {
                self.read(catalog, cx, read).await.map(EngineReply::Resource)
            }
            EngineRequest::GetPrompt(get) => self.get(catalog, cx, get).await.map(EngineReply::Prompt),
            EngineRequest::Complete(complete) => match &self.completion {
                Some(handler) => handler.call(cx, complete).await.map(EngineReply::Completion),
                None => Err(EngineError::new(
                    ErrorKind::Unsupported,
                    "this namespace completes nothing",
                )),
            },
        }
    }

    async fn read(&self, catalog: &Catalog, cx: CallContext, read: ReadResource) -> Result<ResourceOutput> {
        let ReadResource { uri, .. } = read;
        let (handler, values) = match (self.resources.get(&uri), catalog.template(&uri)) {
            (Some(handler), _) => (Some(handler), Default::default()),
            (None, Some((template, values))) => (self.templates.get(&template.uri_template), values),
            (None, None) => (None, Default::default()),
        };
        let handler = handler.ok_or_else(|| unknown_resource(&uri))?;
        handler.call(cx, Address { uri, values }).await
    }

    async fn get(&self, catalog: &Catalog, cx: CallContext, get: GetPrompt) -> Result<PromptOutput> {
        let found = self.prompts.get(&get.name).zip(catalog.prompt(&get.name));
        let (handler, prompt) = found.ok_or_else(|| unknown_prompt(&get.name))?;
        prompt.check(&get.arguments)?;
        handler.call(cx, get).await
    }
}
