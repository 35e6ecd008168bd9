//! `GET /tools`: what the caller may call.

use axum::{
    body::Body,
    extract::{Request, State},
    response::Response,
};
use tooldock_engine::{Catalog, NamespaceName, RawJson, Tool, json::ObjectWriter};

use crate::{
    exchange::{self, Exchange},
    page::Page,
    router::Rest,
};

/// The list of one namespace: the key under which a catalog keeps its page.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Listing(NamespaceName);

/// Lists the tools.
pub(crate) async fn list(State(rest): State<Rest>, request: Request) -> Response<Body> {
    let (parts, _) = request.into_parts();
    exchange::answer(parts, async |parts| {
        let exchange = Exchange::open(&rest, &parts).await?;
        let (catalog, namespace) = (&exchange.catalog, &exchange.mount.namespace);
        let page = catalog.derived(Listing(namespace.clone()), || {
            Page::new(catalog, namespace, render(catalog, namespace))
        });
        Ok(page.answer(&parts.headers))
    })
    .await
}

fn render(catalog: &Catalog, namespace: &NamespaceName) -> RawJson {
    let tools: Vec<RawJson> = catalog.tools().iter().map(|tool| definition(tool)).collect();
    let mut page = ObjectWriter::new();
    page.string("namespace", namespace.as_str())
        .array("tools", &tools);
    page.finish()
}

fn definition(tool: &Tool) -> RawJson {
    let mut out = ObjectWriter::new();
    out.string("name", tool.name.as_str());
    let texts = [("title", &tool.title), ("description", &tool.description)];
    for (member, text) in texts {
        out.maybe(member, text.as_deref().map(RawJson::string).as_ref());
    }
    out.raw("inputSchema", &tool.input_schema)
        .maybe("outputSchema", tool.output_schema.as_ref())
        .maybe("annotations", tool.annotations.as_ref())
        .maybe("icons", tool.icons.as_ref())
        .maybe("category", tool.category.as_deref().map(RawJson::string).as_ref());
    let tags: Vec<RawJson> = tool.tags.iter().map(|tag| RawJson::string(tag)).collect();
    out.array("tags", &tags).maybe("_meta", tool.meta.as_ref());
    out.finish()
}
