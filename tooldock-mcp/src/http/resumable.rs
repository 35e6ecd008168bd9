//! Event streams to which a client may come back.

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _};
use http::Response;
use tokio::time::Instant;

use super::sse;
use crate::{
    revision::{Feature, Revision},
    settings::Settings,
    stream::Reader,
};

/// An event stream of what `reader` reads, as a client of `revision` takes it.
pub(super) fn respond(reader: Reader, revision: Revision, settings: &Settings) -> Response<Body> {
    let polls = revision.has(Feature::Polling);
    let until = settings.poll_after.filter(|_| polls && reader.awaits_answer());
    let reader = reader.until(until.map(|after| Instant::now() + after));
    // Older clients may take an event without data for a broken message.
    let primed: Option<Bytes> = polls.then(|| sse::priming(reader.beginning(), settings.retry));
    let events = stream::unfold(reader, async |mut reader| {
        Some((sse::event(&reader.next().await?), reader))
    });
    sse::respond(stream::iter(primed).chain(events), settings.keep_alive)
}
