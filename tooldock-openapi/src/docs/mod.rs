//! `GET /docs`: a page for people, to read what tools there are and to try them.

use std::sync::LazyLock;

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use http::{
    HeaderValue,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
};
use sha2::{Digest as _, Sha256};

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(
    include_str!("field.js"),
    include_str!("tool.js"),
    include_str!("page.js")
);

/// The page and the policy that lets it, and nothing else, run.
struct Shell {
    page: String,
    policy: HeaderValue,
}

static SHELL: LazyLock<Shell> = LazyLock::new(|| {
    let page = FRAME
        .replacen("{style}", STYLE, 1)
        .replacen("{script}", SCRIPT, 1);
    let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
    let (script, style) = (hash(SCRIPT), hash(STYLE));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; connect-src 'self'; \
         img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    Shell {
        page,
        policy: HeaderValue::try_from(policy).expect("directives and base64 are a header value"),
    }
});

/// Answers with the page: the same for everybody, without any data. It asks for a token and fetches the document with it.
pub(crate) async fn docs() -> Response<Body> {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CONTENT_SECURITY_POLICY, SHELL.policy.clone()),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, SHELL.page.as_str()).into_response()
}
