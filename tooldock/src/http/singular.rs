//! Headers that may occur once.

use http::{HeaderValue, header::CONNECTION, request::Parts};
use tooldock_engine::{EngineError, ErrorKind};

use super::{Gate, Refusal, refusal::refuse};

/// Headers of which two would let two readers see two requests.
const SINGULAR: [&str; 6] = [
    "content-length",
    "content-type",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
    "x-namespace",
];

/// Refuses requests that repeat a header which may occur once, and closes their connections.
///
/// ```
/// use axum::{Router, body::Body, routing::get};
/// use http::Request;
/// use tooldock::http::Singular;
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app: Router = Router::new().route("/", get(|| async { "hello" })).layer(Singular);
/// let twice = Request::get("/").header("x-namespace", "a").header("x-namespace", "a").body(Body::empty())?;
/// assert_eq!(app.oneshot(twice).await?.status(), 400);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Singular;

impl Gate for Singular {
    fn admit(&self, head: &mut Parts) -> Result<(), Refusal> {
        if head.headers.len() == head.headers.keys_len() {
            return Ok(());
        }
        let repeated = |name: &&&str| head.headers.get_all(**name).iter().nth(1).is_some();
        let Some(name) = SINGULAR.iter().find(repeated) else {
            return Ok(());
        };
        let text = format!("the header `{name}` may occur once; send it once");
        let mut answer = refuse(head, &EngineError::new(ErrorKind::InvalidRequest, text));
        answer
            .headers_mut()
            .insert(CONNECTION, HeaderValue::from_static("close"));
        Err(answer)
    }
}
