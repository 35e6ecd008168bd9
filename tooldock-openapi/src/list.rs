//! `GET /tools`: what the caller may call.

use std::fmt::Write as _;

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
};
use tooldock_engine::{Catalog, NamespaceName, RawJson, Tool, json::ObjectWriter};

use crate::{
    error::JSON,
    exchange::{self, Exchange},
    router::Rest,
};

/// The list of one namespace, ready to send: the key under which a catalog keeps its page.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Listing(NamespaceName);

#[derive(Debug)]
struct Page {
    body: Bytes,
    etag: HeaderValue,
}

/// Lists the tools.
pub(crate) async fn list(State(rest): State<Rest>, request: Request) -> Response<Body> {
    let (parts, _) = request.into_parts();
    exchange::answer(&parts, async {
        let exchange = Exchange::open(&rest, &parts).await?;
        let (catalog, namespace) = (&exchange.catalog, &exchange.mount.namespace);
        let page = catalog.derived(Listing(namespace.clone()), || render(catalog, namespace));
        let headers = [
            (ETAG, page.etag.clone()),
            // Callers of one address may see different lists, so a cache asks each time.
            (CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
            (VARY, HeaderValue::from_static("authorization, x-namespace")),
        ];
        if is_known(&parts.headers, &page.etag) {
            return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
        }
        Ok((headers, [(CONTENT_TYPE, JSON)], page.body.clone()).into_response())
    })
    .await
}

/// Whether the client has this version already (RFC 9110, weak comparison).
fn is_known(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let fields = headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut tags = fields.flat_map(|field| field.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

fn render(catalog: &Catalog, namespace: &NamespaceName) -> Page {
    let tools: Vec<RawJson> = catalog.tools().iter().map(|tool| definition(tool)).collect();
    let mut page = ObjectWriter::new();
    page.string("namespace", namespace.as_str())
        .array("tools", &tools);
    // The form of the page belongs to the program, its content to the catalog.
    let mut etag = format!("\"{}-", env!("CARGO_PKG_VERSION"));
    for byte in &catalog.digest()[..16] {
        write!(etag, "{byte:02x}").expect("a String takes every text");
    }
    etag.push('"');
    Page {
        body: page.finish().into_bytes(),
        etag: HeaderValue::try_from(etag).expect("digits and dots are plain text"),
    }
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
