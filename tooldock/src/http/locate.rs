//! Which route and which namespace a path means. One table; every form of a path becomes one canonical path.

use std::task::{Context, Poll};

use http::{Request, Uri, request::Parts, uri::PathAndQuery};
use tooldock_engine::{Door, name::RESERVED_NAMESPACES};
use tower::{Layer, Service};

/// A fixed or namespaced route of the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The first segment behind the namespace, or of the whole path.
    pub segment: &'static str,
    /// The protocol that answers it.
    pub door: Door,
    /// Whether it belongs to a namespace.
    pub namespaced: bool,
    /// Whether it answers without a token.
    pub open: bool,
}

impl Route {
    /// Every route there is; the router, the layers and the tests are built from it.
    pub const ALL: &'static [Self] = &[
        Self {
            segment: "mcp",
            door: Door::Mcp,
            namespaced: true,
            open: false,
        },
        Self {
            segment: "tools",
            door: Door::Rest,
            namespaced: true,
            open: false,
        },
        Self {
            segment: "health",
            door: Door::Rest,
            namespaced: false,
            open: true,
        },
        Self {
            segment: "namespaces",
            door: Door::Rest,
            namespaced: false,
            open: false,
        },
        Self {
            segment: "reload",
            door: Door::Rest,
            namespaced: false,
            open: false,
        },
    ];

    fn find(segment: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|route| route.segment == segment)
    }
}

/// What [`Locate`] found out; an extension of every request behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The route, if the path means one.
    pub route: Option<&'static Route>,
    /// The namespace in the path, as it was written.
    pub namespace: Option<String>,
}

impl Located {
    /// The protocol in which a refusal is to be told.
    #[must_use]
    pub fn door(&self) -> Door {
        self.route.map_or(Door::Rest, |route| route.door)
    }
}

/// Finds the route of a path and rewrites it to its canonical form, which has no namespace.
///
/// | Written | Canonical | Namespace |
/// |---|---|---|
/// | `/{namespace}/mcp`, `/{namespace}/tools/…` | `/mcp`, `/tools/…` | from the path |
/// | `/mcp/{namespace}` | `/mcp` | from the path |
/// | `/mcp`, `/tools/…` | the same | from the header `X-Namespace` |
/// | `/health`, … | the same | none |
fn locate(path: &str) -> (Located, Option<String>) {
    let rest = path.strip_prefix('/').unwrap_or(path);
    let (first, tail) = rest
        .split_once('/')
        .map_or((rest, None), |(first, tail)| (first, Some(tail)));
    if let Some(route) = Route::find(first) {
        return match tail {
            Some(namespace) if first == "mcp" && !namespace.is_empty() && !namespace.contains('/') => (
                Located {
                    route: Some(route),
                    namespace: Some(namespace.to_owned()),
                },
                Some("/mcp".to_owned()),
            ),
            _ => (
                Located {
                    route: Some(route),
                    namespace: None,
                },
                None,
            ),
        };
    }
    let nowhere = (
        Located {
            route: None,
            namespace: None,
        },
        None,
    );
    let (Some(tail), false) = (tail, RESERVED_NAMESPACES.contains(&first)) else {
        return nowhere;
    };
    let segment = tail.split('/').next().unwrap_or(tail);
    match Route::find(segment).filter(|route| route.namespaced) {
        Some(route) => (
            Located {
                route: Some(route),
                namespace: Some(first.to_owned()),
            },
            Some(format!("/{tail}")),
        ),
        None => nowhere,
    }
}

/// The layer that finds the route and the namespace of a request. Refuses nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Locate;

impl<S> Layer<S> for Locate {
    type Service = LocateService<S>;

    fn layer(&self, inner: S) -> LocateService<S> {
        LocateService(inner)
    }
}

/// A service behind [`Locate`].
#[derive(Debug, Clone)]
pub struct LocateService<S>(S);

impl<S, B> Service<Request<B>> for LocateService<S>
where
    S: Service<Request<B>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> S::Future {
        let (mut head, body) = request.into_parts();
        let (located, canonical) = locate(head.uri.path());
        if let Some(uri) = canonical.and_then(|path| with_path(&head, &path)) {
            head.uri = uri;
        }
        head.extensions.insert(located);
        self.0.call(Request::from_parts(head, body))
    }
}

fn with_path(head: &Parts, path: &str) -> Option<Uri> {
    let target = match head.uri.query() {
        Some(query) => PathAndQuery::try_from(format!("{path}?{query}")),
        None => PathAndQuery::try_from(path),
    };
    let mut parts = head.uri.clone().into_parts();
    parts.path_and_query = Some(target.ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_path_finds_its_route() {
        let table = [
            ("/demo/mcp", Some("mcp"), Some("demo"), Some("/mcp")),
            ("/mcp/demo", Some("mcp"), Some("demo"), Some("/mcp")),
            ("/mcp", Some("mcp"), None, None),
            ("/mcp/", Some("mcp"), None, None),
            ("/demo/tools", Some("tools"), Some("demo"), Some("/tools")),
            (
                "/demo/tools/add/schema",
                Some("tools"),
                Some("demo"),
                Some("/tools/add/schema"),
            ),
            (
                "/demo/tools/a%2Fb",
                Some("tools"),
                Some("demo"),
                Some("/tools/a%2Fb"),
            ),
            ("/tools/add", Some("tools"), None, None),
            ("/BAD name/tools", Some("tools"), Some("BAD name"), Some("/tools")),
            ("/health", Some("health"), None, None),
            ("/demo/health", None, None, None),
            ("/api/tools", None, None, None),
            ("/", None, None, None),
            ("", None, None, None),
            ("//mcp", Some("mcp"), Some(""), Some("/mcp")),
            ("/demo", None, None, None),
        ];
        for (path, segment, namespace, canonical) in table {
            let (located, rewritten) = locate(path);
            assert_eq!(located.route.map(|route| route.segment), segment, "{path}");
            assert_eq!(
                (located.namespace.as_deref(), rewritten.as_deref()),
                (namespace, canonical),
                "{path}"
            );
        }
    }
}
