//! The namespace of a request: from its path or from `X-Namespace`.

use http::request::Parts;
use tooldock_engine::{EngineError, ErrorKind, NamespaceName, error::Result as EngineResult};

use super::{Gate, Located, Refusal, refusal::refuse};

/// Reads the namespace from the path or from the header `X-Namespace` and puts a [`NamespaceName`] into the extensions of the
/// request. Both present and different is an error, and so is neither, unless the operator has set a default.
///
/// Without [`Locate`](super::Locate) in front there is only the header, and every request needs a namespace.
///
/// ```
/// use axum::{Extension, Router, body::Body, routing::get};
/// use http::Request;
/// use tooldock::{NamespaceName, http::Namespaces};
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app: Router = Router::new()
///     .route("/", get(|Extension(name): Extension<NamespaceName>| async move { name.to_string() }))
///     .layer(Namespaces::required());
/// let named = Request::get("/").header("x-namespace", "github").body(Body::empty())?;
/// assert_eq!(app.clone().oneshot(named).await?.status(), 200);
/// assert_eq!(app.oneshot(Request::new(Body::empty())).await?.status(), 400);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Namespaces {
    default: Option<NamespaceName>,
}

impl Namespaces {
    /// No default: a request says which namespace it means.
    #[must_use]
    pub fn required() -> Self {
        Self::default()
    }

    /// `default` is meant when a request names none.
    #[must_use]
    pub fn or(default: NamespaceName) -> Self {
        Self {
            default: Some(default),
        }
    }

    fn find(&self, head: &Parts, path: Option<&str>) -> EngineResult<NamespaceName> {
        let invalid = |text: String| EngineError::new(ErrorKind::InvalidRequest, text);
        let mut headers = head.headers.get_all("x-namespace").iter();
        let header = match (headers.next(), headers.next()) {
            (Some(value), None) => Some(
                value
                    .to_str()
                    .map_err(|_| invalid("the header `X-Namespace` is not readable".to_owned()))?,
            ),
            (None, _) => None,
            (Some(_), Some(_)) => return Err(invalid("send `X-Namespace` once".to_owned())),
        };
        let named = match (path, header) {
            (Some(path), Some(header)) if path != header => {
                let text = "the path names the namespace `{}`, the header `X-Namespace` `{}`; send one of them, or the same in both";
                let text = text.replacen("{}", &path.escape_debug().to_string(), 1).replacen(
                    "{}",
                    &header.escape_debug().to_string(),
                    1,
                );
                return Err(invalid(text));
            }
            (path, header) => path.or(header),
        };
        match (named, &self.default) {
            // It may have a name that no text is read as.
            (Some(name), Some(default)) if name == default.as_str() => Ok(default.clone()),
            (Some(name), _) => {
                // A name that cannot exist is answered like one that does not.
                name.parse().map_err(|error: tooldock_engine::name::NameError| {
                    EngineError::new(ErrorKind::NamespaceUnknown, error.to_string())
                })
            }
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => {
                let text = "no namespace: name it in the path (`/{namespace}/mcp`, `/{namespace}/tools`) or in the header `X-Namespace`; `GET /namespaces` lists them";
                Err(EngineError::new(ErrorKind::NamespaceMissing, text))
            }
        }
    }
}

impl Gate for Namespaces {
    fn admit(&self, head: &mut Parts) -> Result<(), Refusal> {
        let located = head.extensions.get::<Located>();
        if located.is_some_and(|located| !located.route.is_some_and(|route| route.namespaced)) {
            return Ok(());
        }
        match self.find(head, located.and_then(|located| located.namespace.as_deref())) {
            Ok(namespace) => {
                head.extensions.insert(namespace);
                Ok(())
            }
            Err(error) => Err(refuse(head, &error)),
        }
    }
}
