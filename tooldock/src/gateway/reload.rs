//! `POST /reload`: one JSON report, or an event stream with the same report last.

use std::convert::Infallible;

use axum::{
    Extension, Json,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Response, header::ACCEPT},
    response::{IntoResponse as _, Sse, sse::Event},
};
use futures_util::{StreamExt as _, future, stream};
use serde::Deserialize;
use tokio::sync::broadcast;
use tooldock_engine::{Door, EngineError, ErrorKind, context::RequestId, error::Result};

use super::routes::Shared;
use crate::{
    http::answer,
    registry::{ReloadEvent, ReloadReport, Reloader},
};

/// What a reload may be asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Wish {
    dry_run: bool,
}

pub(super) async fn reload(
    State(shared): State<Shared>,
    id: Option<Extension<RequestId>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let refuse = |error: &EngineError| answer(Door::Rest, error, id.as_deref());
    let Some(reloader) = shared.reloader else {
        return refuse(&EngineError::new(
            ErrorKind::Unsupported,
            "this gateway has no folder to load again",
        ));
    };
    let wish = match read(&body) {
        Ok(wish) => wish,
        Err(error) => return refuse(&error),
    };
    let streams = headers
        .get(ACCEPT)
        .is_some_and(|accept| accept.as_bytes().starts_with(b"text/event-stream"));
    if streams {
        return follow(reloader, wish).into_response();
    }
    match perform(&reloader, &wish).await {
        Ok(report) => Json(report).into_response(),
        Err(error) => refuse(&error),
    }
}

fn read(body: &[u8]) -> Result<Wish> {
    if body.is_empty() || body == b"null" {
        return Ok(Wish::default());
    }
    serde_json::from_slice(body).map_err(|error| {
        EngineError::new(
            ErrorKind::InvalidRequest,
            format!("the body must be empty or an object such as {{\"dry_run\": true}}: {error}"),
        )
    })
}

async fn perform(reloader: &Reloader, wish: &Wish) -> Result<ReloadReport> {
    if wish.dry_run {
        reloader.plan().await
    } else {
        reloader.reload().await
    }
}

/// Events as they happen, then `event: report` with the report, or `event: error`.
fn follow(
    reloader: Reloader,
    wish: Wish,
) -> Sse<impl futures_util::Stream<Item = Result<Event, Infallible>>> {
    let events = stream::unfold(reloader.events(), |mut events| async move {
        loop {
            match events.recv().await {
                Ok(event) => return Some((named(&event), events)),
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    });
    let report = stream::once(async move {
        let event = match perform(&reloader, &wish).await {
            Ok(report) => Event::default().event("report").json_data(report),
            Err(error) => Event::default()
                .event("error")
                .json_data(serde_json::json!({"message": error.to_string()})),
        };
        Last::Report(event.unwrap_or_default())
    });
    // The report ends the stream; it is polled second, so that what happened before it is told before it.
    let both = stream::select_with_strategy(events.map(Last::Event), report, |(): &mut ()| {
        stream::PollNext::Left
    });
    let until_report = both.scan(false, |over, item| {
        let ended = std::mem::replace(over, matches!(item, Last::Report(_)));
        future::ready((!ended).then_some(item))
    });
    Sse::new(until_report.map(|item| match item {
        Last::Event(event) | Last::Report(event) => Ok(event),
    }))
}

enum Last {
    Event(Event),
    Report(Event),
}

fn named(event: &ReloadEvent) -> Event {
    let name = match event {
        ReloadEvent::Progress { .. } => "progress",
        ReloadEvent::Ready { .. } => "ready",
        ReloadEvent::Failed { .. } => "failed",
    };
    Event::default().event(name).json_data(event).unwrap_or_default()
}
