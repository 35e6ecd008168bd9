//! The order of the layers in front of the protocols.

use std::{convert::Infallible, time::Duration};

use axum::{Router, body::Body};
use http::{Request, Response};
use tower::{ServiceBuilder, util::BoxCloneSyncService};

use super::{Bearer, BodyLimit, Cors, GateLayer, Hosts, Locate, Namespaces, Origins, Panics, RequestIdLayer};

/// What the layers in front of the protocols need to know. Start from [`new`](Self::new) and change what differs.
///
/// ```
/// use tooldock::http::{Bearer, Hosts, HttpSettings};
/// let mut settings = HttpSettings::new(Bearer::anonymous());
/// settings.hosts = Hosts::new(["tools.example.org".to_owned()]);
/// settings.max_body_bytes = 1 << 20;
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpSettings {
    /// Which hosts are answered.
    pub hosts: Hosts,
    /// Which pages may read answers.
    pub cors: Cors,
    /// Which pages may send requests.
    pub origins: Origins,
    /// Who may come in.
    pub bearer: Bearer,
    /// How large a request may be (`MAX_BODY_BYTES`).
    pub max_body_bytes: usize,
    /// How long a body may take to arrive (`BODY_TIMEOUT_SECONDS`).
    pub body_timeout: Duration,
    /// How the namespace is found.
    pub namespaces: Namespaces,
}

impl HttpSettings {
    /// The defaults, with `bearer` at the door: 4 MiB within 30 s.
    #[must_use]
    pub fn new(bearer: Bearer) -> Self {
        Self {
            hosts: Hosts::default(),
            cors: Cors::default(),
            origins: Origins::default(),
            bearer,
            max_body_bytes: 4 << 20,
            body_timeout: Duration::from_secs(30),
            namespaces: Namespaces::required(),
        }
    }
}

/// Puts every layer in front of `routes`, in this order. What an outer layer refuses, no inner one sees.
///
/// Authentication looks at headers only, so nothing of a stranger's body is ever read.
#[must_use]
pub fn stack(
    settings: &HttpSettings,
    routes: Router,
) -> BoxCloneSyncService<Request<Body>, Response<Body>, Infallible> {
    let service = ServiceBuilder::new()
        .layer(RequestIdLayer)
        .layer(Locate)
        .layer(Panics)
        .layer(GateLayer::new(settings.hosts.clone()))
        .layer(settings.cors.clone())
        .layer(GateLayer::new(settings.origins.clone()))
        .layer(GateLayer::new(settings.bearer.clone()))
        .layer(BodyLimit::new(settings.max_body_bytes, settings.body_timeout))
        .layer(GateLayer::new(settings.namespaces.clone()))
        .service(routes);
    BoxCloneSyncService::new(service)
}
