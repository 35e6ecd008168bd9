//! Resources: text, bytes, a family of them, and one that clients watch.

use serde_json::json;
use tooldock::{
    ToolOutput,
    engine::{
        catalog::{Resource, ResourceTemplate},
        fixed::{Address, StaticEngineBuilder, Updates},
        output::ResourceOutput,
    },
};

use super::{PIXEL, tool};

const WATCHED: &str = "test://watched-resource";

pub(super) fn add(engine: StaticEngineBuilder, updates: &Updates) -> StaticEngineBuilder {
    let telling = updates.clone();
    engine
        .updates(updates)
        .resource(resource("test://static-text", "text/plain"), text)
        .resource(
            resource("test://static-binary", "image/png"),
            async |_cx, at: Address| Ok(ResourceOutput::blob(&at.uri, "image/png", PIXEL)),
        )
        .resource(resource(WATCHED, "text/plain"), text)
        .template(
            ResourceTemplate::new("test://template/{id}/data", "data"),
            async |_cx, at: Address| {
                let data = json!({"id": at.values["id"], "templateTest": true}).to_string();
                Ok(ResourceOutput::text(&at.uri, "application/json", &data))
            },
        )
        .tool(
            tool("test_touch_watched", "Tell that the watched text has changed."),
            move |_cx, _arguments| {
                telling.tell(WATCHED);
                async { Ok(ToolOutput::text("Told.")) }
            },
        )
}

fn resource(uri: &str, kind: &str) -> Resource {
    let mut resource = Resource::new(uri, uri.trim_start_matches("test://"));
    resource.mime_type = Some(kind.to_owned());
    resource
}

async fn text(_cx: tooldock::CallContext, at: Address) -> tooldock::engine::Result<ResourceOutput> {
    let content = format!("This is the content of `{}`.", at.uri);
    Ok(ResourceOutput::text(&at.uri, "text/plain", &content))
}
