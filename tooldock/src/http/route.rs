//! The routes there are, and what each form of a path means. One table; every form becomes one canonical path.

use std::{borrow::Cow, sync::Arc};

use tooldock_engine::{
    Door,
    name::{RESERVED_NAMESPACES, RESERVED_TOOLS, SYSTEM_NAMESPACE},
};

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
    #[rustfmt::skip]
    pub const ALL: &'static [Self] = &[
        Self { segment: "mcp", door: Door::Mcp, namespaced: true, open: false },
        // The transport of 2024-11-05.
        Self { segment: "sse", door: Door::Mcp, namespaced: true, open: false },
        Self { segment: "messages", door: Door::Mcp, namespaced: true, open: false },
        Self { segment: "tools", door: Door::Rest, namespaced: true, open: false },
        Self { segment: "openapi.json", door: Door::Rest, namespaced: true, open: false },
        // The page without any data; it asks for a token itself.
        Self { segment: "docs", door: Door::Rest, namespaced: true, open: true },
        Self { segment: "health", door: Door::Rest, namespaced: false, open: true },
        Self { segment: "ready", door: Door::Rest, namespaced: false, open: true },
        Self { segment: "metrics", door: Door::Rest, namespaced: false, open: false },
        Self { segment: "namespaces", door: Door::Rest, namespaced: false, open: false },
        Self { segment: "info", door: Door::Rest, namespaced: true, open: false },
        Self { segment: "mcp/info", door: Door::Rest, namespaced: false, open: false },
        Self { segment: "internal", door: Door::Rest, namespaced: false, open: false },
        Self { segment: "reload", door: Door::Rest, namespaced: false, open: false },
        // What clients probe for without a token, to find sign-in offers or terminals; they learn that there are none.
        Self { segment: ".well-known", door: Door::Rest, namespaced: false, open: true },
        // Who makes tokens for a namespace, when it is a resource of OAuth.
        Self { segment: ".well-known/oauth-protected-resource", door: Door::Rest, namespaced: false, open: true },
        Self { segment: "api/config", door: Door::Rest, namespaced: false, open: true },
    ];

    fn find(segment: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|route| route.segment == segment)
    }

    /// The route of a path that clients probe, wherever they probe for it.
    fn probed(path: &str) -> Option<&'static Self> {
        if resource_metadata(path).is_some() {
            Self::find(".well-known/oauth-protected-resource")
        } else if path.split('/').any(|segment| segment == ".well-known") {
            Self::find(".well-known")
        } else if path.ends_with("/api/config") {
            Self::find("api/config")
        } else {
            None
        }
    }
}

/// The path of the endpoint that a path asks about, as RFC 9728 writes it (3.1).
fn resource_metadata(path: &str) -> Option<&str> {
    let about = path.strip_prefix("/.well-known/oauth-protected-resource")?;
    (about.is_empty() || about.starts_with('/')).then_some(about)
}

/// What a path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) route: Option<&'static Route>,
    /// The namespace in the path, as it was written.
    pub(super) namespace: Option<Arc<str>>,
    /// The path without namespace, where it differs from what was written.
    pub(super) canonical: Option<Cow<'static, str>>,
}

impl Meaning {
    fn new(segment: &str, namespace: Option<&str>, canonical: Option<Cow<'static, str>>) -> Self {
        Self {
            route: Route::find(segment),
            namespace: namespace.map(Arc::from),
            canonical,
        }
    }
}

/// Finds the route and the namespace of a path.
///
/// | Written | Canonical | Namespace |
/// |---|---|---|
/// | `/{namespace}/mcp`, `/{namespace}/tools/…` | `/mcp`, `/tools/…` | from the path |
/// | `/mcp/{namespace}`, `/mcp/{namespace}/info` | `/mcp`, `/info` | from the path |
/// | `/{namespace}/{tool}`, unless the name is reserved | `/tools/{tool}` | from the path |
/// | `/{namespace}/sse`, `/{namespace}/messages`, without a slash at the end | `/sse`, `/messages` | from the path |
/// | `/mcp`, `/tools/…` | the same | from the header `X-Namespace` |
/// | `/health`, `/mcp/info`, … | the same | none |
/// | `/mcp/namespaces` | `/namespaces` | none |
/// | `/.well-known/oauth-protected-resource/…` | the same | none |
/// | `…/.well-known/…`, `…/api/config` | `/.well-known`, `/api/config` | none |
pub(super) fn locate(path: &str) -> Meaning {
    if let Some(route) = Route::probed(path) {
        if route.segment == ".well-known/oauth-protected-resource" {
            return Meaning::new(route.segment, None, None);
        }
        // Open paths must not reach any other handler, so they lose all that stands around the name.
        return Meaning::new(route.segment, None, Some(format!("/{}", route.segment).into()));
    }
    let bare = path.strip_prefix('/').unwrap_or(path);
    // A path means the same with a slash at its end.
    let (bare, slash) = bare.strip_suffix('/').map_or((bare, false), |bare| (bare, true));
    let (first, tail) = bare.split_once('/').unwrap_or((bare, ""));
    let mut meaning = match (first, tail) {
        // Its messages are sent to a path that is relative to this one.
        ("sse", "") | (_, "sse") if slash => Meaning::new("", None, None),
        ("mcp", "namespaces") => Meaning::new("namespaces", None, Some("/namespaces".into())),
        ("mcp", "info") => Meaning::new("mcp/info", None, None),
        ("mcp", _) => below_mcp(tail),
        _ if Route::find(first).is_some() => Meaning::new(first, None, None),
        // Only a gateway whose own namespace it is answers it.
        (SYSTEM_NAMESPACE, tail) if !tail.is_empty() => below_namespace(first, tail),
        _ if RESERVED_NAMESPACES.contains(&first) || tail.is_empty() => Meaning::new("", None, None),
        _ => below_namespace(first, tail),
    };
    if slash && meaning.canonical.is_none() {
        meaning.canonical = Some(format!("/{bare}").into());
    }
    meaning
}

/// `/mcp`, `/mcp/{namespace}`, `/mcp/{namespace}/info`.
fn below_mcp(tail: &str) -> Meaning {
    match tail.split('/').collect::<Vec<_>>()[..] {
        [""] => Meaning::new("mcp", None, None),
        [namespace] => Meaning::new("mcp", Some(namespace), Some("/mcp".into())),
        [namespace, "info"] => Meaning::new("info", Some(namespace), Some("/info".into())),
        _ => Meaning::new("", None, None),
    }
}

/// `/{namespace}/{route}…`, `/{namespace}/{tool}`.
fn below_namespace(namespace: &str, tail: &str) -> Meaning {
    let segment = tail.split('/').next().unwrap_or(tail);
    if Route::find(segment).is_some_and(|route| route.namespaced) {
        let canonical = match tail {
            "mcp" => "/mcp".into(),
            _ => format!("/{tail}").into(),
        };
        return Meaning::new(segment, Some(namespace), Some(canonical));
    }
    if segment == tail && !RESERVED_TOOLS.contains(&tail) {
        return Meaning::new("tools", Some(namespace), Some(format!("/tools/{tail}").into()));
    }
    Meaning::new("", None, None)
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
            ("/mcp/", Some("mcp"), None, Some("/mcp")),
            ("/mcp/demo/", Some("mcp"), Some("demo"), Some("/mcp")),
            ("/demo/mcp/", Some("mcp"), Some("demo"), Some("/mcp")),
            ("/demo/tools/", Some("tools"), Some("demo"), Some("/tools")),
            ("/mcp/namespaces", Some("namespaces"), None, Some("/namespaces")),
            ("/mcp/info", Some("mcp/info"), None, None),
            ("/mcp/demo/info", Some("info"), Some("demo"), Some("/info")),
            ("/mcp/demo/more", None, None, None),
            ("/internal/state", Some("internal"), None, None),
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
            ("/demo/sse", Some("sse"), Some("demo"), Some("/sse")),
            ("/sse", Some("sse"), None, None),
            ("/demo/sse/", None, None, Some("/demo/sse")),
            (
                "/demo/messages",
                Some("messages"),
                Some("demo"),
                Some("/messages"),
            ),
            ("/messages", Some("messages"), None, None),
            ("/tools/add", Some("tools"), None, None),
            ("/BAD name/tools", Some("tools"), Some("BAD name"), Some("/tools")),
            ("/health", Some("health"), None, None),
            ("/demo/health", Some("tools"), Some("demo"), Some("/tools/health")),
            ("/demo/add", Some("tools"), Some("demo"), Some("/tools/add")),
            ("/demo/a%2Fb", Some("tools"), Some("demo"), Some("/tools/a%2Fb")),
            ("/demo/add/more", None, None, None),
            ("/demo/info", Some("info"), Some("demo"), Some("/info")),
            ("/api/add", None, None, None),
            ("/_system/mcp", Some("mcp"), Some("_system"), Some("/mcp")),
            ("/_system", None, None, None),
            (
                "/demo/openapi.json",
                Some("openapi.json"),
                Some("demo"),
                Some("/openapi.json"),
            ),
            ("/demo/docs", Some("docs"), Some("demo"), Some("/docs")),
            ("/docs", Some("docs"), None, None),
            (
                "/.well-known/oauth-protected-resource/demo/mcp",
                Some(".well-known/oauth-protected-resource"),
                None,
                None,
            ),
            (
                "/demo/.well-known/oauth-protected-resource",
                Some(".well-known"),
                None,
                Some("/.well-known"),
            ),
            (
                "/.well-known/oauth-protected-resources",
                Some(".well-known"),
                None,
                Some("/.well-known"),
            ),
            (
                "/mcp/.well-known",
                Some(".well-known"),
                None,
                Some("/.well-known"),
            ),
            (
                "/demo/tools/.well-known",
                Some(".well-known"),
                None,
                Some("/.well-known"),
            ),
            (
                "/demo/.well-known-not",
                Some("tools"),
                Some("demo"),
                Some("/tools/.well-known-not"),
            ),
            ("/demo/api/config", Some("api/config"), None, Some("/api/config")),
            ("/api/config", Some("api/config"), None, Some("/api/config")),
            (
                "/demo/tools/api/config",
                Some("api/config"),
                None,
                Some("/api/config"),
            ),
            ("/api/tools", None, None, None),
            ("/", None, None, None),
            ("/demo/", None, None, Some("/demo")),
            ("", None, None, None),
            ("//mcp", Some("mcp"), Some(""), Some("/mcp")),
            ("/demo", None, None, None),
        ];
        for (path, segment, namespace, canonical) in table {
            let found = locate(path);
            assert_eq!(found.route.map(|route| route.segment), segment, "{path}");
            assert_eq!(
                (found.namespace.as_deref(), found.canonical.as_deref()),
                (namespace, canonical),
                "{path}"
            );
        }
    }
}
