//! Frames about resources, prompts and completion.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{json, value::RawValue};
use tooldock_engine::{
    CallContext, Catalog, EngineError, ErrorKind, RawJson,
    catalog::Variables,
    error::Result,
    output::{Completion, PromptOutput, ResourceOutput},
    request::{Complete, GetPrompt, Reference, ResourceUri},
};

use super::{Connection, id::RequestId, incoming::read_result, outgoing};

/// Where a worker finds a resource.
#[derive(Debug)]
pub(crate) struct Address {
    uri: ResourceUri,
    /// The address or template that it is registered under.
    resource: String,
    is_template: bool,
    values: Variables,
}

impl Address {
    /// The resource at `uri` in `catalog`, itself or through its template.
    pub(crate) fn find(catalog: &Catalog, uri: &ResourceUri) -> Option<Self> {
        let (resource, is_template, values) = match (catalog.resource(uri), catalog.template(uri)) {
            (Some(_), _) => (uri.to_string(), false, Variables::new()),
            (None, Some((template, values))) => (template.uri_template.clone(), true, values),
            (None, None) => return None,
        };
        Some(Self {
            uri: uri.clone(),
            resource,
            is_template,
            values,
        })
    }

    /// Whether `catalog` has it as well.
    pub(crate) fn is_in(&self, catalog: &Catalog) -> bool {
        match self.is_template {
            false => catalog.resource(&self.uri).is_some(),
            true => {
                let mut templates = catalog.templates().iter();
                templates.any(|template| template.uri_template == self.resource)
            }
        }
    }

    fn frame(&self) -> RawJson {
        json!({"resource": self.resource, "uri": &*self.uri, "arguments": self.values}).into()
    }
}

impl Connection {
    /// Reads a resource.
    pub(crate) async fn read(
        &self,
        cx: &CallContext,
        address: &Address,
        limit: Option<Duration>,
    ) -> Result<ResourceOutput> {
        let frame = address.frame();
        let write =
            |out: &mut Vec<u8>, id: RequestId| outgoing::write_frame(out, "resources.read", id, &frame, cx);
        let answer = self.exchange(cx, frame.len(), limit, write).await?;
        read_resource(&read_result(&answer))
    }

    /// Fills in a prompt.
    pub(crate) async fn get(
        &self,
        cx: &CallContext,
        get: &GetPrompt,
        limit: Option<Duration>,
    ) -> Result<PromptOutput> {
        let frame = write_get(get);
        let write =
            |out: &mut Vec<u8>, id: RequestId| outgoing::write_frame(out, "prompts.get", id, &frame, cx);
        let answer = self.exchange(cx, frame.len(), limit, write).await?;
        read_prompt(&read_result(&answer))
    }

    /// Completes what a user types.
    pub(crate) async fn complete(
        &self,
        cx: &CallContext,
        complete: &Complete,
        limit: Option<Duration>,
    ) -> Result<Completion> {
        let frame = write_complete(complete);
        let write = |out: &mut Vec<u8>, id: RequestId| {
            outgoing::write_frame(out, "completions.complete", id, &frame, cx);
        };
        let answer = self.exchange(cx, frame.len(), limit, write).await?;
        read_completion(&read_result(&answer))
    }
}

fn write_get(get: &GetPrompt) -> RawJson {
    json!({"prompt": get.name, "arguments": get.arguments}).into()
}

fn write_complete(complete: &Complete) -> RawJson {
    let reference = match &complete.reference {
        Reference::Prompt(name) => json!({"type": "ref/prompt", "name": name}),
        Reference::Resource(uri) => json!({"type": "ref/resource", "uri": uri}),
    };
    json!({"arguments": {"ref": reference, "argument": complete.argument, "value": complete.value,
        "arguments": complete.context}})
    .into()
}

fn read_resource(result: &RawJson) -> Result<ResourceOutput> {
    #[derive(Deserialize)]
    struct Wire<'a> {
        #[serde(borrow)]
        contents: &'a RawValue,
    }
    let wire: Wire<'_> = result.parse().map_err(misshapen)?;
    Ok(ResourceOutput {
        contents: result.part(wire.contents),
    })
}

fn read_prompt(result: &RawJson) -> Result<PromptOutput> {
    #[derive(Deserialize)]
    struct Wire<'a> {
        description: Option<String>,
        #[serde(borrow)]
        messages: &'a RawValue,
    }
    let wire: Wire<'_> = result.parse().map_err(misshapen)?;
    Ok(PromptOutput {
        description: wire.description,
        messages: result.part(wire.messages),
    })
}

fn read_completion(result: &RawJson) -> Result<Completion> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Wire {
        values: Vec<String>,
        total: Option<u64>,
        #[serde(default)]
        has_more: bool,
    }
    let wire: Wire = result.parse().map_err(misshapen)?;
    Ok(Completion {
        values: wire.values,
        total: wire.total,
        has_more: wire.has_more,
    })
}

fn misshapen(error: serde_json::Error) -> EngineError {
    let text = "the worker's result has another form than the protocol says";
    EngineError::new(ErrorKind::Internal, text).with_source(error)
}
