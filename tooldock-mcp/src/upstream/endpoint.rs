//! The requests of HTTP.

use std::{error::Error, time::Duration};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, Method,
    header::{ACCEPT, CONTENT_TYPE},
};
use reqwest::{Client, Response, redirect::Policy};
use tokio::time::{Instant, sleep, timeout};

use super::{UpstreamError, UpstreamSettings};

/// Redirects that may follow each other.
const REDIRECTS: usize = 3;
/// How long an unused connection is kept: less than any server does, so that no request meets one that is being closed.
const IDLE: Duration = Duration::from_secs(4);
/// Unused connections that are kept.
const KEPT: usize = 8;
/// The first pause before a connection is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// One address, and how it is spoken to.
#[derive(Debug)]
pub(super) struct Endpoint {
    http: Client,
    pub(super) settings: UpstreamSettings,
}

impl Endpoint {
    pub(super) fn new(settings: UpstreamSettings) -> Result<Self, UpstreamError> {
        let http = Client::builder()
            .user_agent(concat!("tooldock/", env!("CARGO_PKG_VERSION")))
            .default_headers(settings.headers.clone())
            .connect_timeout(settings.connect)
            .redirect(Policy::custom(|attempt| {
                // Only these two keep method and body, and only the same origin may see them and the token.
                let kept = matches!(attempt.status().as_u16(), 307 | 308);
                let home = attempt.previous().first().map(reqwest::Url::origin);
                if kept && attempt.previous().len() <= REDIRECTS && home == Some(attempt.url().origin()) {
                    attempt.follow()
                } else {
                    attempt.stop()
                }
            }))
            .retry(reqwest::retry::never())
            .no_proxy()
            .referer(false)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(KEPT)
            .build()
            .map_err(|error| UpstreamError::Away {
                address: settings.address.clone(),
                reason: reason(&error),
            })?;
        Ok(Self { http, settings })
    }

    /// Sends a message.
    pub(super) async fn post(
        &self,
        message: Bytes,
        mut headers: HeaderMap,
    ) -> Result<Response, UpstreamError> {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("application/json, text/event-stream"),
        );
        self.send(Method::POST, headers, message).await
    }

    /// Asks for an event stream.
    pub(super) async fn get(&self, mut headers: HeaderMap) -> Result<Response, UpstreamError> {
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        self.send(Method::GET, headers, Bytes::new()).await
    }

    /// Ends a session.
    pub(super) async fn delete(&self, headers: HeaderMap) -> Result<Response, UpstreamError> {
        self.send(Method::DELETE, headers, Bytes::new()).await
    }

    /// Only a request of which nothing was sent is tried again.
    async fn send(&self, method: Method, headers: HeaderMap, body: Bytes) -> Result<Response, UpstreamError> {
        let (settings, mut pause) = (&self.settings, PAUSE);
        let end = Instant::now() + settings.patience;
        loop {
            let request = self
                .http
                .request(method.clone(), settings.address.url().clone())
                .headers(headers.clone())
                .body(body.clone());
            let error = match timeout(settings.silence, request.send()).await {
                Ok(Ok(response)) => return Ok(response),
                Ok(Err(error)) => error,
                Err(_) => return Err(self.silent()),
            };
            if !error.is_connect() {
                return Err(self.lost(&error));
            }
            if Instant::now() + pause > end {
                return Err(UpstreamError::Away {
                    address: settings.address.clone(),
                    reason: reason(&error),
                });
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    /// The next bytes of a body; nothing at its end.
    pub(super) async fn chunk(&self, response: &mut Response) -> Result<Option<Bytes>, UpstreamError> {
        match timeout(self.settings.silence, response.chunk()).await {
            Ok(Ok(chunk)) => Ok(chunk),
            Ok(Err(error)) => Err(self.lost(&error)),
            Err(_) => Err(self.silent()),
        }
    }

    /// The whole body of a response.
    pub(super) async fn body(&self, mut response: Response) -> Result<Bytes, UpstreamError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(&mut response).await? {
            if body.len() + chunk.len() > self.settings.message_bytes {
                return Err(self.too_long());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.into())
    }

    pub(super) fn too_long(&self) -> UpstreamError {
        let bytes = self.settings.message_bytes;
        self.foreign(format!(
            "a message has more than {bytes} bytes (CONNECT_MESSAGE_BYTES)"
        ))
    }

    pub(super) fn foreign(&self, reason: impl Into<String>) -> UpstreamError {
        UpstreamError::Foreign {
            address: self.settings.address.clone(),
            reason: reason.into(),
        }
    }

    pub(super) fn cut(&self, reason: impl Into<String>) -> UpstreamError {
        UpstreamError::Lost {
            address: self.settings.address.clone(),
            reason: reason.into(),
        }
    }

    fn lost(&self, error: &reqwest::Error) -> UpstreamError {
        self.cut(reason(error))
    }

    fn silent(&self) -> UpstreamError {
        UpstreamError::Silent {
            address: self.settings.address.clone(),
            limit: self.settings.silence,
        }
    }
}

/// The innermost cause: what the system says. The outer texts repeat the address, query and all.
fn reason(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    if cause.downcast_ref::<reqwest::Error>().is_some() {
        return "the connection failed".to_owned();
    }
    cause.to_string()
}
