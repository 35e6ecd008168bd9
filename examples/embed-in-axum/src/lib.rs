//! A gateway below a prefix of an application that has routes and a sign-in of its own. Who calls a tool is who is signed in.

mod sign_in;

use std::error::Error;

use axum::{
    Router,
    middleware::from_fn_with_state,
    routing::{get, post},
};
use tooldock::{CallContext, Gateway, StaticEngine, Tool, ToolOutput, http::Bearer, layers::AuthorizeLayer};

use self::sign_in::{Users, login, signed_in};

/// The application: pages at `/`, tools below `/tools`, and some of them for `admin` only.
///
/// # Errors
/// When something is named wrongly.
pub fn app() -> Result<Router, Box<dyn Error>> {
    let users = Users::default();
    let whoami = async |cx: CallContext, _arguments| Ok(ToolOutput::text(cx.caller().principal.name()));
    let reset = async |_cx, _arguments| Ok(ToolOutput::text("all is new"));
    let engine = StaticEngine::builder()
        .tool(Tool::new("whoami".parse()?), whoami)
        .tool(Tool::new("reset".parse()?), reset)
        .build()?;
    let admins = AuthorizeLayer::new(|caller, _namespace, tool| {
        tool.as_str() != "reset" || caller.principal.name() == "admin"
    });
    let gateway = Gateway::builder()
        .namespace("desk", engine)
        .engine_layer(admins)
        .bearer(Bearer::by_host())
        .build()?;
    let tools = gateway
        .router()
        .layer(from_fn_with_state(users.clone(), signed_in));
    Ok(Router::new()
        .route("/", get(|| async { "the application itself" }))
        .route("/login", post(login))
        .with_state(users)
        .nest("/tools", tools))
}
