//! `GET /openapi.json`: the OpenAPI 3.1 document of a namespace.

mod components;
mod example;
mod flatten;
mod hoist;
mod operation;
mod responses;
mod tree;
mod unwind;

use axum::{
    body::Body,
    extract::{Request, State},
    response::Response,
};
use tooldock_engine::{Catalog, NamespaceName, RawJson};

use self::{
    components::Components,
    tree::{Object, Tree},
};
use crate::{
    answer,
    exchange::{self, Exchange},
    page::Page,
    router::Rest,
};

/// The document of one namespace: the key under which a catalog keeps its page.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Document(NamespaceName);

/// Answers with the document of the tools that the caller may call.
pub(crate) async fn document(State(rest): State<Rest>, request: Request) -> Response<Body> {
    let (parts, _) = request.into_parts();
    exchange::answer(parts, async |parts| {
        let exchange = Exchange::open(&rest, &parts).await?;
        let (catalog, namespace) = (&exchange.catalog, &exchange.mount.namespace);
        let page = catalog.derived(Document(namespace.clone()), || {
            Page::new(catalog, namespace, render(catalog, namespace))
        });
        Ok(page.answer(&parts.headers))
    })
    .await
}

fn render(catalog: &Catalog, namespace: &NamespaceName) -> RawJson {
    let mut schemas = Components::default();
    let error = schemas.reserve(components::ERROR);
    schemas.put(&error, responses::error_schema());
    let paths: Object = catalog
        .tools()
        .iter()
        .map(|tool| {
            let wrapped = answer::is_wrapped(catalog, tool);
            (
                operation::path(tool),
                operation::operation(tool, wrapped, &mut schemas),
            )
        })
        .collect();
    let bearer = Tree::object([("type", Tree::text("http")), ("scheme", Tree::text("bearer"))]);
    let document = Tree::object([
        ("openapi", Tree::text("3.1.0")),
        ("info", info(catalog, namespace)),
        ("servers", Tree::Array(vec![server(namespace)])),
        (
            "security",
            Tree::Array(vec![Tree::object([("bearer", Tree::Array(Vec::new()))])]),
        ),
        ("paths", Tree::Object(paths)),
        (
            "components",
            Tree::object([
                ("schemas", schemas.finish()),
                ("responses", responses::components()),
                ("securitySchemes", Tree::object([("bearer", bearer)])),
            ]),
        ),
    ]);
    RawJson::from_serialize(&document).expect("a tree of JSON is JSON")
}

fn info(catalog: &Catalog, namespace: &NamespaceName) -> Tree {
    let about = catalog.about();
    let version = about.version.as_deref().unwrap_or("0");
    let mut info = Object::default();
    info.add("title", || Tree::text(namespace.as_str()));
    info.add("version", || Tree::text(version));
    if let Some(description) = &about.description {
        info.add("description", || Tree::text(description));
    }
    if let Some(author) = &about.author {
        info.add("contact", || Tree::object([("name", Tree::text(author))]));
    }
    Tree::Object(info)
}

/// Where the paths begin, relative to the address of the document: right below every prefix that a proxy adds, and right for
/// `/{namespace}/openapi.json` as well as for `/openapi.json` with a header.
fn server(namespace: &NamespaceName) -> Tree {
    Tree::object([("url", Tree::text(&format!("../{namespace}")))])
}
