//! A page that depends on a catalog alone: rendered once, sent with an `ETag`.

use std::fmt::Write as _;

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
};
use tooldock_engine::{Catalog, NamespaceName, RawJson};

use crate::error::JSON;

/// JSON of one namespace, ready to send. Catalogs keep it.
#[derive(Debug)]
pub(crate) struct Page {
    body: Bytes,
    etag: HeaderValue,
}

impl Page {
    /// The page `body` about `namespace`, whose content is a function of `catalog`.
    pub(crate) fn new(catalog: &Catalog, namespace: &NamespaceName, body: RawJson) -> Self {
        // The form of the page belongs to the program, its content to the namespace and its catalog.
        let mut etag = format!("\"{}-{namespace}-", env!("CARGO_PKG_VERSION"));
        for byte in &catalog.digest()[..16] {
            write!(etag, "{byte:02x}").expect("a String takes every text");
        }
        etag.push('"');
        Self {
            body: body.into_bytes(),
            etag: HeaderValue::try_from(etag).expect("digits, dots and names are plain text"),
        }
    }

    /// The page, or 304 for a client that has it.
    pub(crate) fn answer(&self, asked: &HeaderMap) -> Response<Body> {
        let headers = [
            (ETAG, self.etag.clone()),
            // Callers of one address may see different pages, so a cache asks each time.
            (CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
            (VARY, HeaderValue::from_static("authorization, x-namespace")),
        ];
        if self.is_known(asked) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        (headers, [(CONTENT_TYPE, JSON)], self.body.clone()).into_response()
    }

    /// Whether the client has this version already (RFC 9110, weak comparison).
    fn is_known(&self, asked: &HeaderMap) -> bool {
        let fields = asked
            .get_all(IF_NONE_MATCH)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let mut tags = fields.flat_map(|field| field.split(',')).map(str::trim);
        tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.etag)
    }
}
