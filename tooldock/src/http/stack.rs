//! The order of the layers in front of the protocols.

use std::{convert::Infallible, time::Duration};

use axum::{Router, body::Body};
use http::{Request, Response};
use tooldock_engine::json::ScanLimits;
use tower::{ServiceBuilder, util::BoxCloneSyncService};

use super::{
    Bearer, BodyLimit, Cors, Denials, Hosts, Locate, Namespaces, Origins, Panics, Proxies, RequestIdLayer,
    Singular,
};

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
    /// Which proxies are believed.
    pub proxies: Proxies,
    /// Who is told of requests that are turned away.
    pub denials: Option<Denials>,
    /// Which hosts are answered.
    pub hosts: Hosts,
    /// Which pages may read answers.
    pub cors: Cors,
    /// Which pages may send requests.
    pub origins: Origins,
    /// Whose signed tokens are believed, if the bearer [knows that](Bearer::with_oauth).
    #[cfg(feature = "oauth")]
    pub oauth: Option<super::OAuth>,
    /// Who may come in.
    pub bearer: Bearer,
    /// How large a request may be (`MAX_BODY_BYTES`).
    pub max_body_bytes: usize,
    /// How large all requests may be that are there at once (`MAX_BODIES_BYTES`).
    pub max_bodies_bytes: usize,
    /// How deep and wide JSON in a body may be (`MAX_JSON_DEPTH`, `MAX_JSON_VALUES`).
    pub json: ScanLimits,
    /// How long a body may take to arrive (`BODY_TIMEOUT_SECONDS`).
    pub body_timeout: Duration,
    /// How the namespace is found.
    pub namespaces: Namespaces,
}

impl HttpSettings {
    /// The defaults, with `bearer` at the door: 4 MiB within 30 s and 64 MiB of all together, 64 levels and 100,000 values of JSON.
    #[must_use]
    pub fn new(bearer: Bearer) -> Self {
        Self {
            proxies: Proxies::default(),
            denials: None,
            hosts: Hosts::default(),
            cors: Cors::default(),
            origins: Origins::default(),
            #[cfg(feature = "oauth")]
            oauth: None,
            bearer,
            max_body_bytes: 4 << 20,
            max_bodies_bytes: 64 << 20,
            json: ScanLimits::MESSAGE,
            body_timeout: Duration::from_secs(30),
            namespaces: Namespaces::required(),
        }
    }
}

/// Puts every layer in front of `routes`, in this order. What an outer layer refuses, no inner one sees.
///
/// | Layer | Why there |
/// |---|---|
/// | [`RequestIdLayer`] | every answer has an id, refusals too |
/// | [`Locate`] | refuses nothing; what refuses behind it knows in which protocol to say so |
/// | [`Panics`] | a panic further in is an answer like any other |
/// | [`Proxies`] | whoever asks for an address behind it is told that of the client |
/// | [`Denials`] | behind what finds the address of a client, in front of everything that turns away |
/// | [`Singular`] | what can be read in two ways is not read at all |
/// | [`Hosts`] | a name that somebody else points at this machine is nobody to talk to |
/// | [`Cors`] | a page can read why it is refused; preflights carry no token |
/// | [`Origins`] | pages of strangers do not even try a token |
/// | `OAuth` | as [`Bearer`], for which it reads signed tokens |
/// | [`Bearer`] | looks at headers only: nothing of a stranger's body is read |
/// | [`BodyLimit`] | bounds what is read for somebody who is known |
/// | [`Namespaces`] | which namespaces there are is told to nobody else |
///
/// ```
/// use axum::{Router, body::Body, routing::get};
/// use http::Request;
/// use tooldock::http::{Bearer, HttpSettings, stack};
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let routes = Router::new().route("/health", get(|| async { "up" }));
/// let app = stack(&HttpSettings::new(Bearer::anonymous()), routes);
/// let answer = app.oneshot(Request::get("/health").header("host", "evil.example.com").body(Body::empty())?).await?;
/// assert_eq!(answer.status(), 403);
/// # Ok(()) }
/// ```
#[must_use]
pub fn stack(
    settings: &HttpSettings,
    routes: Router,
) -> BoxCloneSyncService<Request<Body>, Response<Body>, Infallible> {
    #[cfg(feature = "oauth")]
    let oauth = tower::util::option_layer(settings.oauth.clone());
    #[cfg(not(feature = "oauth"))]
    let oauth = tower::layer::util::Identity::new();
    let service = ServiceBuilder::new()
        .layer(RequestIdLayer)
        .layer(Locate)
        .layer(Panics)
        .layer(settings.proxies.clone())
        .layer(tower::util::option_layer(settings.denials.clone()))
        .layer(Singular)
        .layer(settings.hosts.clone())
        .layer(settings.cors.clone())
        .layer(settings.origins.clone())
        .layer(oauth)
        .layer(settings.bearer.clone())
        .layer(
            BodyLimit::new(settings.max_body_bytes, settings.body_timeout).sharing(settings.max_bodies_bytes),
        )
        .layer(settings.namespaces.clone())
        .service(routes);
    BoxCloneSyncService::new(service)
}
