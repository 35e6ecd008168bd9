//! An event stream that is being read.

use std::{collections::VecDeque, sync::Arc};

use reqwest::Response;
use tooldock_engine::json::ScanLimits;

use super::{
    UpstreamError,
    endpoint::Endpoint,
    sse::{Decoder, Event},
};

/// An event stream that is being read.
#[derive(Debug)]
pub(super) struct Events {
    endpoint: Arc<Endpoint>,
    response: Response,
    decoder: Decoder,
    ready: VecDeque<Event>,
}

impl Events {
    pub(super) fn new(endpoint: Arc<Endpoint>, response: Response) -> Self {
        let decoder = Decoder::new(endpoint.settings.message_bytes);
        Self {
            endpoint,
            response,
            decoder,
            ready: VecDeque::new(),
        }
    }

    /// The bounds of what an event may hold.
    pub(super) fn limits(&self) -> ScanLimits {
        self.endpoint.settings.message_limits
    }

    /// The next event; nothing at the end of the stream.
    ///
    /// # Cancel safety
    /// Safe: no event is lost.
    pub(super) async fn next(&mut self) -> Result<Option<Event>, UpstreamError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            let Some(chunk) = self.endpoint.chunk(&mut self.response).await? else {
                return Ok(None);
            };
            self.decoder
                .feed(&chunk, &mut self.ready)
                .map_err(|_| self.endpoint.too_long())?;
        }
    }
}
