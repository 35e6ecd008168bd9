//! The layers in front of the protocols, one per file; [`stack`](self::stack()) lists their order.

mod bearer;
mod body_limit;
mod cidr;
mod cors;
mod gate;
mod host;
mod locate;
mod namespace;
mod origin;
mod panic;
mod peer;
mod refusal;
mod request_id;
mod route;
mod stack;

pub(crate) use self::refusal::answer;
pub use self::{
    bearer::{Bearer, Token, TokenError, Tokens},
    body_limit::{BodyLimit, BodyLimitService, BoundedBody},
    cidr::Cidr,
    cors::{Cors, CorsService, Readable},
    gate::{Gate, GateLayer, GateService, Refusal},
    host::Hosts,
    locate::{Locate, LocateService, Located},
    namespace::Namespaces,
    origin::Origins,
    panic::{Caught, Panics, PanicsService},
    peer::Peer,
    request_id::{RequestIdLayer, RequestIdService, WithId},
    route::Route,
    stack::{HttpSettings, stack},
};
