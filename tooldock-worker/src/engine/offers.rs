//! Resources, templates and prompts in a `ready` frame.

use serde::Deserialize;
use serde_json::value::RawValue;
use tooldock_engine::{
    RawJson,
    catalog::{CatalogBuilder, Prompt, PromptArgument, Resource, ResourceTemplate, UriTemplate},
};

use crate::report::LoadError;

/// What a worker offers besides tools.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Offers<'a> {
    #[serde(borrow)]
    resources: Vec<&'a RawValue>,
    #[serde(borrow)]
    templates: Vec<&'a RawValue>,
    #[serde(borrow)]
    prompts: Vec<&'a RawValue>,
}

/// A resource, template or prompt: which members it has says what it is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireOffer<'a> {
    #[serde(default)]
    uri: String,
    #[serde(default)]
    uri_template: String,
    name: String,
    title: Option<String>,
    description: Option<String>,
    mime_type: Option<String>,
    size: Option<u64>,
    #[serde(default)]
    arguments: Vec<WireArgument>,
    #[serde(borrow)]
    annotations: Option<&'a RawValue>,
    #[serde(borrow)]
    icons: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
    #[serde(default)]
    file: String,
    line: Option<u32>,
}

#[derive(Deserialize)]
struct WireArgument {
    name: String,
    title: Option<String>,
    description: Option<String>,
    #[serde(default)]
    required: bool,
}

impl<'a> Offers<'a> {
    pub(super) fn read(frame: &'a RawJson) -> Result<Self, String> {
        frame.parse().map_err(|error| error.to_string())
    }

    /// Adds everything to `catalog`. What cannot be listed is left out and reported.
    pub(super) fn add_to(
        self,
        frame: &RawJson,
        mut catalog: CatalogBuilder,
        errors: &mut Vec<LoadError>,
    ) -> CatalogBuilder {
        let part = |raw: Option<&RawValue>| raw.map(|raw| frame.part(raw));
        for wire in read(&self.resources, errors) {
            let mut resource = Resource::new(wire.uri, wire.name);
            (resource.title, resource.description) = (wire.title, wire.description);
            (resource.mime_type, resource.size) = (wire.mime_type, wire.size);
            resource.annotations = part(wire.annotations);
            (resource.icons, resource.meta) = (part(wire.icons), part(wire.meta));
            catalog = catalog.resource(resource);
        }
        for wire in read(&self.templates, errors) {
            if let Err(error) = wire.uri_template.parse::<UriTemplate>() {
                errors.push(LoadError {
                    file: wire.file,
                    line: wire.line,
                    message: error.to_string(),
                    ..LoadError::default()
                });
                continue;
            }
            let mut template = ResourceTemplate::new(wire.uri_template, wire.name);
            (template.title, template.description) = (wire.title, wire.description);
            (template.mime_type, template.annotations) = (wire.mime_type, part(wire.annotations));
            (template.icons, template.meta) = (part(wire.icons), part(wire.meta));
            catalog = catalog.template(template);
        }
        for wire in read(&self.prompts, errors) {
            let mut prompt = Prompt::new(wire.name);
            (prompt.title, prompt.description) = (wire.title, wire.description);
            (prompt.icons, prompt.meta) = (part(wire.icons), part(wire.meta));
            let arguments = wire.arguments.into_iter().map(|argument| PromptArgument {
                name: argument.name,
                title: argument.title,
                description: argument.description,
                required: argument.required,
            });
            prompt.arguments = arguments.collect();
            catalog = catalog.prompt(prompt);
        }
        catalog
    }
}

fn read<'a>(raw: &[&'a RawValue], errors: &mut Vec<LoadError>) -> Vec<WireOffer<'a>> {
    let read = raw
        .iter()
        .filter_map(|raw| match serde_json::from_str(raw.get()) {
            Ok(wire) => Some(wire),
            Err(error) => {
                errors.push(LoadError {
                    message: format!("a resource or prompt has another form than the protocol says: {error}"),
                    ..LoadError::default()
                });
                None
            }
        });
    read.collect()
}
