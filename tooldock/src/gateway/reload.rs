//! `POST /reload`: one JSON report, or an event stream with the same report last.

use std::convert::Infallible;

use axum::{
    Extension, Json,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Response, header::ACCEPT},
    response::{
        IntoResponse as _, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture, stream};
use serde::Deserialize;
use tooldock_engine::{Door, EngineError, ErrorKind, context::RequestId, error::Result};

use super::routes::Shared;
use crate::{
    http::answer,
    registry::{ReloadEvent, ReloadEvents, ReloadReport, Reloader, unknown_namespace},
};

/// What a reload may be asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Wish {
    dry_run: bool,
    /// The namespace to put back to the version that served before.
    namespace: Option<String>,
    rollback: bool,
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
        return follow(reloader, wish);
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
    let invalid = |text: String| EngineError::new(ErrorKind::InvalidRequest, text);
    let wish: Wish = serde_json::from_slice(body).map_err(|error| {
        invalid(format!(
            "the body must be empty or an object such as {{\"dry_run\": true}}: {error}"
        ))
    })?;
    if wish.rollback != wish.namespace.is_some() || wish.rollback && wish.dry_run {
        let text = "going back needs `namespace` and `rollback` together, and cannot be only planned: {\"namespace\": \"demo\", \"rollback\": true}";
        return Err(invalid(text.to_owned()));
    }
    Ok(wish)
}

async fn perform(reloader: &Reloader, wish: &Wish) -> Result<ReloadReport> {
    match &wish.namespace {
        Some(namespace) => {
            let name = namespace.parse().map_err(|_| unknown_namespace(namespace))?;
            reloader.roll_back(&name).await
        }
        None if wish.dry_run => reloader.plan().await,
        None => reloader.reload().await,
    }
}

/// A reload that somebody follows.
enum Following {
    Running {
        events: ReloadEvents,
        last: BoxFuture<'static, Event>,
    },
    Over,
}

impl Following {
    /// The next event; what happened before the report is told before it, and the report is the last.
    async fn next(self) -> Option<(Event, Self)> {
        let Self::Running { mut events, mut last } = self else {
            return None;
        };
        tokio::select! {
            biased;
            event = events.next() => match event {
                Some(event) => Some((named(&event), Self::Running { events, last })),
                None => Some((last.await, Self::Over)),
            },
            event = &mut last => Some((event, Self::Over)),
        }
    }
}

/// Events as they happen, then `event: report` with the report, or `event: error`.
fn follow(reloader: Reloader, wish: Wish) -> Response<Body> {
    let events = reloader.events();
    let last = async move {
        let event = match perform(&reloader, &wish).await {
            Ok(report) => Event::default().event("report").json_data(report),
            Err(error) => Event::default()
                .event("error")
                .json_data(serde_json::json!({"message": error.to_string()})),
        };
        event.unwrap_or_default()
    };
    let following = Following::Running {
        events,
        last: last.boxed(),
    };
    // A long start says nothing for a while, and whoever follows has to know that it goes on.
    Sse::new(stream::unfold(following, Following::next).map(Ok::<_, Infallible>))
        .keep_alive(KeepAlive::default())
        .into_response()
}

fn named(event: &ReloadEvent) -> Event {
    let name = match event {
        ReloadEvent::Progress { .. } => "progress",
        ReloadEvent::Ready { .. } => "ready",
        ReloadEvent::Failed { .. } => "failed",
    };
    Event::default().event(name).json_data(event).unwrap_or_default()
}
