//! Tools, prompts and resources as lists have them. What a revision does not know is left out.

use tooldock_engine::{
    RawJson, Tool,
    catalog::{Prompt, PromptArgument, Resource, ResourceTemplate},
    json::ObjectWriter,
};

use crate::revision::{Feature, Revision};

/// The members that all definitions have.
struct Common<'a> {
    title: Option<&'a String>,
    description: Option<&'a String>,
    icons: Option<&'a RawJson>,
    meta: Option<&'a RawJson>,
}

impl Common<'_> {
    fn write(&self, out: &mut ObjectWriter, revision: Revision) {
        if let Some(title) = self.title.filter(|_| revision.has(Feature::Titles)) {
            out.string("title", title);
        }
        if let Some(description) = self.description {
            out.string("description", description);
        }
        out.maybe("icons", self.icons.filter(|_| revision.has(Feature::Icons)))
            .maybe("_meta", self.meta.filter(|_| revision.has(Feature::Titles)));
    }
}

pub(crate) fn write_tool(tool: &Tool, revision: Revision) -> RawJson {
    let mut out = ObjectWriter::new();
    out.string("name", tool.name.as_str());
    let common = Common {
        title: tool.title.as_ref(),
        description: tool.description.as_ref(),
        icons: tool.icons.as_ref(),
        meta: tool.meta.as_ref(),
    };
    common.write(&mut out, revision);
    out.raw("inputSchema", &tool.input_schema);
    let output_schema = tool.output_schema.as_ref().filter(|schema| {
        revision.has(Feature::AnyStructured) || (revision.has(Feature::Structured) && has_object_root(schema))
    });
    let annotations = tool
        .annotations
        .as_ref()
        .filter(|_| revision.has(Feature::Annotations));
    out.maybe("outputSchema", output_schema)
        .maybe("annotations", annotations);
    out.finish()
}

pub(crate) fn write_prompt(prompt: &Prompt, revision: Revision) -> RawJson {
    let mut out = ObjectWriter::new();
    out.string("name", &prompt.name);
    let common = Common {
        title: prompt.title.as_ref(),
        description: prompt.description.as_ref(),
        icons: prompt.icons.as_ref(),
        meta: prompt.meta.as_ref(),
    };
    common.write(&mut out, revision);
    let arguments = prompt.arguments.iter();
    let arguments: Vec<RawJson> = arguments
        .map(|argument| write_argument(argument, revision))
        .collect();
    out.array("arguments", &arguments);
    out.finish()
}

fn write_argument(argument: &PromptArgument, revision: Revision) -> RawJson {
    let mut out = ObjectWriter::new();
    out.string("name", &argument.name);
    let common = Common {
        title: argument.title.as_ref(),
        description: argument.description.as_ref(),
        icons: None,
        meta: None,
    };
    common.write(&mut out, revision);
    out.flag("required", argument.required);
    out.finish()
}

pub(crate) fn write_resource(resource: &Resource, revision: Revision) -> RawJson {
    let mut out = ObjectWriter::new();
    out.string("uri", &resource.uri).string("name", &resource.name);
    let common = Common {
        title: resource.title.as_ref(),
        description: resource.description.as_ref(),
        icons: resource.icons.as_ref(),
        meta: resource.meta.as_ref(),
    };
    common.write(&mut out, revision);
    if let Some(kind) = &resource.mime_type {
        out.string("mimeType", kind);
    }
    if let Some(size) = resource.size {
        out.number("size", size);
    }
    out.maybe("annotations", resource.annotations.as_ref());
    out.finish()
}

pub(crate) fn write_template(template: &ResourceTemplate, revision: Revision) -> RawJson {
    let mut out = ObjectWriter::new();
    out.string("uriTemplate", &template.uri_template)
        .string("name", &template.name);
    let common = Common {
        title: template.title.as_ref(),
        description: template.description.as_ref(),
        icons: template.icons.as_ref(),
        meta: template.meta.as_ref(),
    };
    common.write(&mut out, revision);
    if let Some(kind) = &template.mime_type {
        out.string("mimeType", kind);
    }
    out.maybe("annotations", template.annotations.as_ref());
    out.finish()
}

/// Whether a schema says that its values are objects, as handshake revisions demand of output schemas.
fn has_object_root(schema: &RawJson) -> bool {
    #[derive(serde::Deserialize)]
    struct Root {
        r#type: String,
    }
    schema.parse::<Root>().is_ok_and(|root| root.r#type == "object")
}
