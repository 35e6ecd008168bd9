//! The layers in front of the protocols, one per file; [`stack`](self::stack()) lists their order and why it is so.
//!
//! Each is a Tower layer that works alone, in any axum application:
//!
//! ```
//! use axum::{Extension, Router, body::Body, routing::get};
//! use http::Request;
//! use tooldock::{Caller, http::{Bearer, Hosts, RequestIdLayer, Token, Tokens}};
//! use tower::ServiceExt as _;
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let tokens = Tokens::new([Token::new("ann", "a-token-of-at-least-16-characters")?]);
//! let app = Router::new()
//!     .route("/me", get(|Extension(caller): Extension<Caller>| async move { caller.principal.name().to_owned() }))
//!     .layer(Bearer::new(tokens))
//!     .layer(Hosts::default())
//!     .layer(RequestIdLayer); // outermost: the last one that is added
//! let request = |token: &str| {
//!     Request::get("/me").header("host", "localhost").header("authorization", token).body(Body::empty())
//! };
//! let answer = app.clone().oneshot(request("Bearer a-token-of-at-least-16-characters")?).await?;
//! assert_eq!(answer.status(), 200);
//! assert!(answer.headers().contains_key("x-request-id"));
//! assert_eq!(app.oneshot(request("Bearer of-somebody-nobody-knows")?).await?.status(), 401);
//! # Ok(()) }
//! ```

mod answered;
mod bearer;
mod body_limit;
mod cidr;
mod cors;
mod denials;
mod gate;
mod host;
mod locate;
mod namespace;
#[cfg(feature = "oauth")]
mod oauth;
mod origin;
mod panic;
mod peer;
mod proxies;
mod refusal;
mod request_id;
mod room;
mod route;
mod singular;
mod stack;

#[cfg(feature = "oauth")]
pub use self::oauth::{BadAddress, OAuth, OAuthService, Resource, Scopes};
pub use self::{
    answered::{Answered, Look},
    bearer::{Admitted, Bearer, BearerService, Token, TokenError, Tokens},
    body_limit::{BodyLimit, BodyLimitService, BoundedBody, Roomy},
    cidr::Cidr,
    cors::{Cors, CorsService, Readable},
    denials::{Denial, Denials, DenialsService, Watched},
    gate::{Gate, GateLayer, GateService, Refusal},
    host::Hosts,
    locate::{Locate, LocateService, Located},
    namespace::Namespaces,
    origin::Origins,
    panic::{Caught, Panics, PanicsService},
    peer::Peer,
    proxies::Proxies,
    request_id::{RequestIdLayer, RequestIdService, WithId},
    route::Route,
    singular::Singular,
    stack::{HttpSettings, stack},
};
pub(crate) use self::{bearer::digest, refusal::answer};
