//! Cross-origin reading: which web pages may see the answers.

use std::task::{Context, Poll};

use axum::body::Body;
use futures_util::future::{Either, Ready, ready as now};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
        ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
    },
};
use tooldock_engine::{EngineError, ErrorKind};
use tower::{Layer, Service};

use super::{Answered, Look, Origins, refusal::refuse};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE, OPTIONS");
const HEADERS: &str = "authorization, content-type, accept, x-namespace, mcp-session-id, mcp-protocol-version, \
                       mcp-method, mcp-name, last-event-id";
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "mcp-session-id, mcp-protocol-version, www-authenticate, retry-after, x-request-id",
);
/// How long a browser may remember a preflight, in seconds.
const REMEMBERED: HeaderValue = HeaderValue::from_static("600");
/// Headers that mirror a tool's arguments begin like this; their names depend on the tool.
const MIRRORED: &str = "mcp-param-";
/// How many of those one preflight may ask for; further ones are not allowed.
const MIRRORED_AT_MOST: usize = 64;

/// Lets web pages of some origins read the answers, and answers their preflights (setting `CORS_ORIGINS`).
///
/// Who may *read* is separate from who may *send*: [`Origins`] used as a gate refuses requests, this layer only adds headers. It
/// belongs in front of that gate and of authentication, so that a page can read why it was refused. A preflight never
/// gets past this layer. Cookies play no part, so credentials are never allowed.
///
/// ```
/// use axum::{Router, body::Body, routing::get};
/// use http::Request;
/// use tooldock::http::{Cors, Origins};
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let readers = Origins::new(["https://chat.example.org".to_owned()]);
/// let app: Router = Router::new().route("/", get(|| async { "hello" })).layer(Cors::new(readers));
/// let request = Request::get("/").header("origin", "https://chat.example.org").body(Body::empty())?;
/// let answer = app.oneshot(request).await?;
/// assert_eq!(answer.headers()["access-control-allow-origin"], "https://chat.example.org");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cors {
    readers: Origins,
}

impl Cors {
    /// Lets the pages of `readers` read the answers.
    #[must_use]
    pub fn new(readers: Origins) -> Self {
        Self { readers }
    }

    /// Whether every page may read the answers.
    #[must_use]
    pub fn allows_all(&self) -> bool {
        self.readers.allows_all()
    }

    /// The origin of the request, if its page may read the answer.
    fn reader(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let mut values = headers.get_all(ORIGIN).iter();
        let (Some(origin), None) = (values.next(), values.next()) else {
            return None;
        };
        let allowed = origin.to_str().is_ok_and(|origin| self.readers.allows(origin));
        allowed.then(|| origin.clone())
    }
}

fn is_preflight<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(ORIGIN)
        && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Allows everything that a client of this gateway sends, whatever the page asked for.
fn allow(asked: &HeaderMap) -> Response<Body> {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = StatusCode::NO_CONTENT;
    let headers = answer.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed_headers(asked));
    headers.insert(ACCESS_CONTROL_MAX_AGE, REMEMBERED);
    answer
}

/// The fixed list, and of what the page asked for the names of mirrored arguments.
fn allowed_headers(asked: &HeaderMap) -> HeaderValue {
    let fields = asked
        .get_all(ACCESS_CONTROL_REQUEST_HEADERS)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let names = fields
        .flat_map(|field| field.split(','))
        .filter_map(|name| HeaderName::try_from(name.trim()).ok());
    let mirrored = names.filter(|name| name.as_str().starts_with(MIRRORED));
    let text = mirrored
        .take(MIRRORED_AT_MOST)
        .fold(HEADERS.to_owned(), |text, name| text + ", " + name.as_str());
    HeaderValue::try_from(text).expect("header names are a header value")
}

impl<S> Layer<S> for Cors {
    type Service = CorsService<S>;

    fn layer(&self, inner: S) -> CorsService<S> {
        CorsService {
            cors: self.clone(),
            inner,
        }
    }
}

/// A service behind [`Cors`].
#[derive(Debug, Clone)]
pub struct CorsService<S> {
    cors: Cors,
    inner: S,
}

impl<S, B> Service<Request<B>> for CorsService<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Unpin,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Answered<Either<S::Future, Ready<Result<Response<Body>, S::Error>>>, Readable>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let reader = self.cors.reader(request.headers());
        let inner = match (is_preflight(&request), &reader) {
            (false, _) => Either::Left(self.inner.call(request)),
            (true, Some(_)) => Either::Right(now(Ok(allow(request.headers())))),
            (true, None) => {
                let (head, _) = request.into_parts();
                let text = "pages of this origin may not read answers here; the operator can add the origin to CORS_ORIGINS";
                let refusal = refuse(&head, &EngineError::new(ErrorKind::Forbidden, text));
                Either::Right(now(Ok(*refusal)))
            }
        };
        Answered::new(inner, Readable(reader))
    }
}

/// Marks the answer as readable by the page that asked, if it may.
#[derive(Debug)]
pub struct Readable(Option<HeaderValue>);

impl Look<Body> for Readable {
    fn look(self, mut answer: Response<Body>) -> Response<Body> {
        let headers = answer.headers_mut();
        // Whoever keeps the answer must not show it to a page of another origin.
        headers.append(VARY, HeaderValue::from_static("origin"));
        if let Some(origin) = self.0 {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
        answer
    }
}
