//! An axum application that puts the layers around routes of its own, one by one, without a gateway: who may do what is the same.

use std::{error::Error, sync::Arc, time::Duration};

use axum::{Router, routing::get};
use tooldock::{
    Caller, StaticEngine, Tool, ToolOutput,
    engine::LayerStack,
    http::{Bearer, BodyLimit, Hosts, Locate, Namespaces, Panics, RequestIdLayer, Singular, Tokens},
    layers::{AuthorizeLayer, ConcurrencyLayer, PanicLayer, TimeoutLayer, ValidateLayer},
    mcp, openapi,
    registry::{Origin, Registry, Started},
};
use tower::ServiceBuilder;

/// The tools of each namespace.
const TOOLS: [&str; 3] = ["get_all", "get_secret", "put_all"];

/// The application: tools in `files` and `mail` for whoever has one of `tokens`, and a page of its own at `/me`.
///
/// # Errors
/// When something is named wrongly.
pub fn app(tokens: Tokens) -> Result<Router, Box<dyn Error>> {
    // Around the engines: of the layers those that are wanted here.
    let layers = LayerStack::new()
        .with(PanicLayer::new())
        .with(AuthorizeLayer::default())
        .with(ValidateLayer::default())
        .with(ConcurrencyLayer::new(16))
        .with(TimeoutLayer::new(Duration::from_secs(10)));
    let registry = Arc::new(Registry::new(layers, Duration::from_secs(5)));
    for name in ["files", "mail"] {
        registry.put(&name.parse()?, Started::plain(Arc::new(engine()?)), Origin::Code);
    }
    // The protocols, over the same engines.
    let server = mcp::Server::builder(registry.clone()).build();
    let routes = Router::new()
        .route("/me", get(me))
        .route("/mcp", mcp::http::endpoint(server.clone()))
        .merge(mcp::legacy::router(server))
        .merge(openapi::router(registry, openapi::RestSettings::default()));
    // In front of them, the outermost first.
    let service = ServiceBuilder::new()
        .layer(RequestIdLayer)
        .layer(Locate)
        .layer(Panics)
        .layer(Singular)
        .layer(Hosts::default())
        .layer(Bearer::new(tokens))
        .layer(BodyLimit::new(1 << 20, Duration::from_secs(10)))
        .layer(Namespaces::required())
        .service(routes);
    Ok(Router::new().fallback_service(service))
}

fn engine() -> Result<StaticEngine, Box<dyn Error>> {
    let done = async |_cx, _arguments| Ok(ToolOutput::text("done"));
    let mut engine = StaticEngine::builder();
    for name in TOOLS {
        engine = engine.tool(Tool::new(name.parse()?), done);
    }
    Ok(engine.build()?)
}

/// Who is there.
async fn me(axum::Extension(caller): axum::Extension<Caller>) -> String {
    caller.principal.name().to_owned()
}
